/** A data folder of an earlier version: the system page tells what was migrated, and which snapshot was made before it. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { newVisitor, openBrowser, sticksOut, visit } from './browser.js';
import { newFolder, openHouse, sentences } from './house.js';

const FIRST = new URL('../durability/fixtures/0.1.0-store-1.tar.gz', import.meta.url).pathname;

let browser;
before(async () => { browser = await openBrowser(); });
after(() => browser?.close());

test('the last migration is told in both languages, each step by its sentence', async (t) => {
  const folder = await newFolder(t);
  await promisify(execFile)('tar', ['-xzf', FIRST, '-C', folder]);
  const house = await openHouse(t, { folder: join(folder, 'data'), settings: { HANOK_JOBS__SCHEDULE: 'false' } });
  const { last_migration: last, last_migration_steps: steps, last_migration_backup: kept } = await (await fetch(`${house.household}/api/system`)).json();
  assert.equal(last.from, 1);
  const [answers] = steps;
  assert.deepEqual([answers.title_ko, answers.title_en], ['되풀이된 요청에 줄 답을 집 것으로 옮겼습니다', 'Answers kept for repeated requests belong to the household']);
  assert.equal(kept.name, last.snapshot);
  for (const language of ['ko', 'en']) {
    const say = await sentences(language);
    const { page, flaws } = await newVisitor(t, browser, house, { language, width: 360 });
    await visit(page, '/system');
    const text = await page.locator('main').innerText();
    const told = [
      say('system', 'migration'),
      say('system', 'migration.versions', { from: last.from, to: last.to }),
      ...steps.map((step) => step[`title_${language}`]),
      new Intl.DateTimeFormat(language === 'ko' ? 'ko-KR' : 'en-GB', { timeZone: 'Asia/Seoul', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(kept.created_at)),
    ];
    assert.deepEqual(told.filter((sentence) => !text.includes(sentence)), []);
    // Every step there has its sentence.
    assert.deepEqual(last.steps.filter((step) => text.includes(step)), []);
    assert.deepEqual(await sticksOut(page), []);
    assert.deepEqual(flaws, []);
  }
});
