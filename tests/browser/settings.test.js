/** Settings by their names: read, found, changed where that is safe, and the household's passphrase. */

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { closeBoth, focused, holdEvents, newVisitor, openBoth, sticksOut, violations, visit } from './browser.js';
import { openHouse, sentences } from './house.js';

let both;
before(async () => (both = await openBoth()));
after(() => closeBoth(both));

const line = (page, name) => page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });

async function picture(page, name) {
  if (process.env['PICTURES']) await page.screenshot({ path: join(process.env['PICTURES'], `${name}.png`), fullPage: true });
}

test('an edit that somebody made meanwhile is not lost, and says so', async (t) => {
  const house = await openHouse(t);
  const { page } = await newVisitor(t, both.browser, house);
  await visit(page, '/system/settings');
  await page.getByRole('searchbox').fill('backup.daily');
  await page.getByRole('listitem').getByRole('button').click();
  await page.getByRole('textbox', { name: '일별 백업 보관 개수' }).fill('7');
  await writeFile(join(house.data, 'appliance.toml'), '[backup]\nweekly = 3\n');
  await page.keyboard.press('Enter');
  await page.getByRole('listitem').getByRole('alert').waitFor();
  assert.equal(await readFile(join(house.data, 'appliance.toml'), 'utf8'), '[backup]\nweekly = 3\n');
  await page.keyboard.press('Enter');
  await page.getByText('다시 시작하면 7').waitFor();
  assert.match(await readFile(join(house.data, 'appliance.toml'), 'utf8'), /weekly = 3\ndaily = 7/);
});

test('what a variable sets says so and is not changed here, nor is a secret or an entrance', async (t) => {
  const house = await openHouse(t, { settings: { HANOK_BACKUP__DAILY: '3', HANOK_COMPUTE__TOKEN: '0123456789abcdef' } });
  const { page, flaws } = await newVisitor(t, both.browser, house, { language: 'en', theme: 'dark' });
  await visit(page, '/system/settings');
  const daily = line(page, 'Daily backups to keep');
  await daily.getByText('Set by HANOK_BACKUP__DAILY').waitFor();
  for (const name of ['Daily backups to keep', 'Compute host token', 'Access', 'Data folder']) {
    assert.equal(await line(page, name).getByRole('button').count(), 0, name);
  }
  assert.doesNotMatch(await page.locator('body').innerText(), /0123456789abcdef/);
  assert.deepEqual([await violations(page), await sticksOut(page), flaws], [[], [], []]);
  await picture(page, 'settings-en-dark');
  await page.setViewportSize({ width: 360, height: 740 });
  await picture(page, 'settings-en-dark-phone');
});

test('a number says what it counts, beside its value and beside the field, in both languages', async (t) => {
  const house = await openHouse(t, { settings: { HANOK_LOTTERY__MONTHLY_LIMIT: '30000' } });
  for (const [language, width, names, values] of [
    ['ko', 360, ['백업 간격', '저장소 메모리', '월 한도'], ['60분', '32MiB', '30,000원']],
    ['en', 1280, ['Backup interval', 'Store cache', 'Monthly limit'], ['60 minutes', '32 MiB', '30,000 won']],
  ]) {
    const { page, flaws } = await newVisitor(t, both.browser, house, { language, width, theme: language === 'ko' ? 'light' : 'dark' });
    const say = await sentences(language);
    await visit(page, '/system/settings');
    for (const [at, name] of names.entries()) await line(page, name).getByText(values[at], { exact: true }).waitFor();
    const [minutes] = names;
    await line(page, minutes).getByRole('button', { name: say('system', 'settings.change_of', { name: minutes }) }).click();
    const field = page.getByRole('textbox', { name: minutes });
    const told = await field.evaluate((element) => element.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).textContent));
    assert.deepEqual(told, [values[0].replace(/^60 ?/, ''), say('system', 'settings.bounds', { least: 0, most: '10,080' })]);
    await line(page, minutes).scrollIntoViewIfNeeded();
    await picture(page, `settings-unit-${language}`);
    assert.deepEqual([await violations(page), await sticksOut(page), flaws], [[], [], []]);
  }
});

test('the passphrase is set and then changed by who knows it', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, both.browser, house, { width: 360 });
  const say = await sentences('ko');
  const label = (key, values) => page.getByLabel(say('system', `passphrase.${key}`, values), { exact: true });
  await visit(page, '/system/settings');
  await page.getByRole('button', { name: say('system', 'passphrase.set') }).click();
  await label('new', { count: 8 }).fill('마당에 핀 살구꽃');
  await label('again').fill('마당에 핀 살구');
  await page.keyboard.press('Enter');
  await page.getByText(say('system', 'passphrase.differs')).waitFor();
  await label('again').fill('마당에 핀 살구꽃');
  await picture(page, 'passphrase-ko-phone');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: say('system', 'passphrase.change') }).click();
  await label('present').fill('틀린 암호입니다');
  await label('new', { count: 8 }).fill('뒷마당의 감나무');
  await label('again').fill('뒷마당의 감나무');
  await page.keyboard.press('Enter');
  await page.getByText(say('system', 'passphrase.wrong')).waitFor();
  await label('present').fill('마당에 핀 살구꽃');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: say('system', 'passphrase.change') }).waitFor();
  assert.deepEqual([await violations(page), await sticksOut(page), flaws], [[], [], []]);
  await picture(page, 'settings-ko-phone');
});

test('what a setting is shown as comes by itself: after an outage, and when it is changed elsewhere', async (t) => {
  const house = await openHouse(t);
  const { page, context, flaws } = await newVisitor(t, both.browser, house);
  const say = await sentences('ko');
  await page.route('**/api/system/settings', (route) => route.abort());
  const open = await holdEvents(page);
  await page.goto('/system/settings');
  await page.getByText(say('system', 'settings.failed')).waitFor();
  await page.unroute('**/api/system/settings');
  open();
  await page.getByText(say('system', 'settings.failed')).waitFor({ state: 'detached' });
  const daily = line(page, '일별 백업 보관 개수');
  await daily.waitFor();

  const other = await context.newPage();
  await visit(other, '/system/settings?find=backup.daily');
  await other.getByRole('listitem').getByRole('button').click();
  await other.getByRole('textbox', { name: '일별 백업 보관 개수' }).fill('7');
  await other.keyboard.press('Enter');
  await daily.getByText(say('system', 'settings.next', { value: '7' })).waitFor();
  assert.deepEqual(flaws, []);
});

test('what is typed for a setting is there again after the page was left or loaded anew, until it is cancelled', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, both.browser, house, { width: 390, height: 844 });
  const say = await sentences('ko');
  const name = '일별 백업 보관 개수';
  const field = page.getByRole('textbox', { name });
  const daily = line(page, name);
  await visit(page, '/system/settings');
  await daily.getByRole('button').click();
  await field.fill('9000');
  await page.reload();
  assert.equal(await field.inputValue(), '9000');
  await page.getByRole('link', { name: say('system', 'tab.jobs') }).click();
  await page.waitForURL('**/system/jobs');
  await page.goBack();
  assert.equal(await field.inputValue(), '9000');

  // What is wrong stands between the field and the buttons, and above the tabs.
  await daily.getByRole('button', { name: say('shell', 'save') }).click();
  const alert = daily.getByRole('alert');
  await alert.waitFor();
  await page.waitForFunction(() => document.activeElement?.matches('input'));
  const [said, save, tabs] = await Promise.all([alert, daily.getByRole('button', { name: say('shell', 'save') }), page.locator('.dock, nav').last()].map((one) => one.boundingBox()));
  assert.ok(said.y + said.height <= save.y, 'it stands above the buttons');
  assert.ok(save.y + save.height <= tabs.y, 'nothing of it is behind the tabs');
  await picture(page, 'setting-refused-ko-phone');
  await daily.getByRole('button', { name: say('shell', 'cancel') }).click();
  assert.equal(await focused(page), say('system', 'settings.change_of', { name }));
  await page.reload();
  await daily.waitFor();
  assert.equal(await field.count(), 0);
  assert.deepEqual(flaws, []);
});

test('the focus goes from a passphrase that is refused to its field, and from one that is set to the button that changes it', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, both.browser, house);
  const say = await sentences('ko');
  const label = (key, values) => page.getByLabel(say('system', `passphrase.${key}`, values), { exact: true });
  const hasFocus = async (field) => assert.ok(await field.evaluate((element) => element === document.activeElement));
  await visit(page, '/system/settings');
  await page.getByRole('button', { name: say('system', 'passphrase.set') }).press('Enter');
  await page.getByRole('button', { name: say('shell', 'cancel') }).press('Enter');
  await page.waitForFunction((name) => document.activeElement?.textContent.trim() === name, say('system', 'passphrase.set'));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.getAttribute('autocomplete') === 'new-password');
  await label('new', { count: 8 }).fill('짧다');
  await label('again').fill('짧다');
  const save = page.getByRole('button', { name: say('system', 'passphrase.save') });
  await save.press('Enter');
  await page.getByText(say('system', 'passphrase.short', { count: 8 })).waitFor();
  await hasFocus(label('new', { count: 8 }));
  await label('new', { count: 8 }).fill('마당에 핀 살구꽃');
  await label('again').fill('마당에 핀 살구꽃');
  await save.press('Enter');
  const change = page.getByRole('button', { name: say('system', 'passphrase.change') });
  await change.waitFor();
  await page.waitForFunction(() => document.activeElement !== document.body);
  await hasFocus(change);
  await page.keyboard.press('Enter');
  await label('present').fill('틀린 암호입니다');
  await label('new', { count: 8 }).fill('뒷마당의 감나무');
  await label('again').fill('뒷마당의 감나무');
  await save.press('Enter');
  await page.getByText(say('system', 'passphrase.wrong')).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('autocomplete') === 'current-password');
  assert.deepEqual(flaws, []);
});
