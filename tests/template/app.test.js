/**
 * The app of the house with the plants, which `tests/template.rs` has built: their folder is all that the app was given.
 * `BINARY` is that house's binary, `APP` the folder of its app; `tests/prove template` names both.
 */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { holdEvents, newVisitor, openBrowser, settled, sticksOut, violations, visit } from '../browser/browser.js';
import { command, newFolder, openHouse } from '../browser/house.js';

const run = promisify(execFile);

test('the new section passes the checks of the types, and the tests of the app that look at every section', async (t) => {
  const app = process.env['APP'];
  await mkdir(join(app, 'generated'), { recursive: true });
  await writeFile(join(app, 'generated/openapi.json'), await command(await newFolder(t), 'openapi'));
  const tool = (name, ...words) => run(join(app, 'node_modules/.bin', name), words, { cwd: app });
  await tool('openapi-typescript', 'generated/openapi.json', '--output', 'generated/schema.d.ts');
  await run('node', ['build/types.js', '--check'], { cwd: app });
  await tool('svelte-check', '--tsconfig', './tsconfig.json', '--fail-on-warnings');
  await tool('tsc', '--noEmit', '-p', 'tsconfig.node.json');
  // Those of the other sections have run in the house without it.
  await tool('vitest', 'run', 'src/bounds', 'src/sections', 'src/lib/', 'src/shell/', 'src/pages/today/');
});

test('the new section is in the navigation, at its address, under its keys, in the palette and on Today', async (t) => {
  const house = await openHouse(t);
  const browser = await openBrowser();
  t.after(() => browser.close());
  const { page, flaws } = await newVisitor(t, browser, house);

  await visit(page, '/');
  const names = await page.getByRole('navigation').getByRole('link').allInnerTexts();
  assert.ok(names.indexOf('화분') > 0 && names.indexOf('화분') < names.length - 1, names.join(', '));
  await page.getByRole('heading', { name: '화분' }).waitFor();
  await page.getByText('모두 물을 먹었습니다.').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: '화분' }).click();
  await page.getByRole('heading', { name: '우리 집 화분' }).waitFor();

  await visit(page, '/');
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.waitForURL('**/plants');
  await page.getByRole('heading', { name: '우리 집 화분' }).waitFor();
  await settled(page);
  assert.equal(await page.title(), '화분 · hanok');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('화분');
  const options = await page.getByRole('option').allInnerTexts();
  assert.deepEqual(options.map((one) => one.split('\n')[0].trim()), ['화분', '화분 추가']);
  await page.getByRole('option', { name: '화분 추가' }).click();
  await page.waitForFunction(() => document.activeElement?.labels?.[0]?.textContent?.trim() === '이름');
  await page.keyboard.type('몬스테라');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: '몬스테라' }).waitFor();
  assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('ㅁㅅㅌ');
  await page.getByRole('option', { name: '몬스테라' }).click();
  await page.waitForURL('**/plants/1');
  await page.getByRole('heading', { name: '몬스테라' }).waitFor();
  await page.waitForFunction(() => document.title === '몬스테라 · hanok');
  await page.getByLabel('며칠마다').fill('3');
  await page.getByRole('button', { name: '저장' }).click();
  await page.reload();
  await page.waitForFunction(() => document.querySelector('input[type=number]')?.value === '3');
  assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);

  await visit(page, '/');
  await page.getByText('물이 필요한 화분 1개').waitFor();
  await page.getByRole('button', { name: '물 줬음: 몬스테라' }).click();
  await page.getByText('모두 물을 먹었습니다.').waitFor();
  assert.equal(await page.getByRole('button', { name: '물 줬음: 몬스테라' }).count(), 0);
  assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
  assert.deepEqual(flaws, []);
});

test('each of more than a hundred plants is counted and found, and pressing Enter twice adds one', async (t) => {
  const house = await openHouse(t);
  for (let number = 1; number <= 101; number += 1) await addPlant(house, `화분 ${number}`);
  const browser = await openBrowser();
  t.after(() => browser.close());
  const { page, flaws } = await newVisitor(t, browser, house);

  await visit(page, '/');
  await page.getByText('물이 필요한 화분 101개').waitFor();
  assert.equal(await page.getByRole('button', { name: /^물 줬음: / }).count(), 10);

  await visit(page, '/plants');
  await page.getByText('모두 101개').waitFor();
  for (const offset of [50, 100]) {
    await page.getByRole('link', { name: '다음' }).click();
    await page.waitForURL(`**/plants?offset=${offset}`);
  }
  await page.getByRole('link', { name: '화분 101', exact: true }).waitFor();
  assert.equal(await page.getByRole('row').count(), 2);
  assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);

  let sent = 0;
  let answer;
  const twice = new Promise((resolve) => (answer = resolve));
  await page.route('**/api/plants', async (route) => {
    if (route.request().method() === 'POST') {
      sent += 1;
      await twice;
    }
    await route.continue();
  });
  await page.getByLabel('이름').fill('고무나무');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  answer();
  await page.getByText('모두 102개').waitFor();
  assert.equal(await page.getByLabel('이름').inputValue(), '');
  assert.equal(sent, 1);
  assert.deepEqual(flaws, []);
});

test('an added plant is shown where nothing is heard of it', async (t) => {
  const house = await openHouse(t);
  const browser = await openBrowser();
  t.after(() => browser.close());
  const { page, flaws } = await newVisitor(t, browser, house);
  const open = await holdEvents(page);
  await visit(page, '/plants');
  await page.getByText('모두 0개').waitFor();
  await page.getByLabel('이름').fill('몬스테라');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: '몬스테라' }).waitFor();
  await page.getByText('모두 1개').waitFor();
  open();
  assert.deepEqual(flaws, []);
});

test('a refusal stands beside the field of its own form, and elsewhere has the name that its section has for the field', async (t) => {
  const house = await openHouse(t);
  const browser = await openBrowser();
  t.after(() => browser.close());
  const { page, flaws } = await newVisitor(t, browser, house);
  // Both have a `title`, and no form would send it empty.
  await page.route(/\/api\/(plants|todos)$/, (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    return route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), title: ' ' }) });
  });
  for (const [path, line, named] of [['/plants', '이름', '비워 둘 수 없습니다.'], ['/todos', '할 일 추가', '할 일: 비워 둘 수 없습니다.']]) {
    await visit(page, path);
    await page.getByLabel(line, { exact: true }).fill('몬스테라');
    await page.keyboard.press('Enter');
    await page.getByText(named, { exact: true }).waitFor();
  }
  assert.deepEqual(flaws.filter((flaw) => !flaw.includes('422')), []);
});

test('the system page tells in both languages what a step of the new domain has done', async (t) => {
  // The Rust part of this test has left a folder in which such a step was done.
  const folder = join(await newFolder(t), 'data');
  await cp(join(process.env['APP'], '../../../earlier'), folder, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  const house = await openHouse(t, { folder, settings: { HANOK_JOBS__SCHEDULE: 'false' } });
  const browser = await openBrowser();
  t.after(() => browser.close());
  for (const [language, told] of [['ko', '간격이 없던 화분에 일주일을 적었습니다'], ['en', 'Plants without an interval are watered every week']]) {
    const { page, flaws } = await newVisitor(t, browser, house, { language });
    await visit(page, '/system');
    await page.locator('main').getByText(told, { exact: true }).waitFor();
    assert.deepEqual(flaws, []);
  }
});

async function addPlant(house, title) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${house.household}/api/plants`, { method: 'POST', headers, body: JSON.stringify({ title, every_days: 7 }) });
  assert.equal(answer.status, 201);
}
