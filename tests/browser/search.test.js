/** The palette finds what is done, noted, set and recorded, and pages by their names in either language. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBoth, newVisitor, openBoth, until, violations, visit } from './browser.js';
import { sentences } from './house.js';

let both;
before(async () => {
  both = await openBoth();
  const post = async (path, body) => {
    const response = await fetch(both.house.household + path, { method: 'POST', headers: { accept: 'application/json', 'content-type': 'application/json' }, body: JSON.stringify(body) });
    assert.ok(response.ok, await response.text());
  };
  await post('/api/todos', { title: '자동차 보험 갱신', note: '설계사에게 전화', done: true });
  await post('/api/lotto/purchase', { draw_no: 1245, sets: [[4, 5, 25, 28, 32, 42]], note: '할머니 생신 기념' });
});
after(() => closeBoth(both));

for (const [language, asked] of [
  ['ko', [['보험 갱신', '자동차 보험 갱신', '/todos'], ['ㅅㄱㅅ', '자동차 보험 갱신', '/todos'], ['할머니', '할머니 생신 기념', '/lottery/purchases'], ['hourly', '시간별 백업 보관 개수', '/system/settings'], ['lottery performance', '로또 성과: 우연과 비교', '/lottery/performance'], ['시스템 백업', '시스템 백업', '/system/backups'],
    ['집 암호', '집 암호 설정 및 변경', '/system/settings'], ['lan', '다른 기기에서 hanok 열기', '/system/settings'], ['카드 정리', '오늘 화면 카드 편집', '/'], ['passphrase', '집 암호 설정 및 변경', '/system/settings'], ['복원', '백업 복원', '/system/backups'],
    ['undo restore', '백업 복원', '/system/backups'], ['내려받기', '백업 다운로드', '/system/backups'], ['CSV', '구매 CSV 가져오기', '/lottery/purchases'],
    ['내보내기', '구매 CSV로 내보내기', '/lottery/purchases'], ['QR', '복권 QR 스캔', '/lottery/purchases'], ['알림', '할 일 추가', '/todos'], ['추천', '로또 추천', '/lottery'], ['시스템 상태', '시스템 상태', '/system'], ['한도', '월 한도', '/system/settings']]],
  ['en', [['restore', 'Restore a backup', '/system/backups'], ['sign in', 'Set or change the household passphrase', '/system/settings'], ['설계사', '자동차 보험 갱신', '/todos'], ['시간별 백업', 'Hourly backups that are kept', '/system/settings'], ['시스템 백업', 'System backups', '/system/backups']]],
]) {
  test(`whatever the language of what is typed, on a screen in ${language}`, async (t) => {
    const { page, flaws } = await newVisitor(t, both.browser, both.house, { language });
    const say = await sentences(language);
    for (const [query, name, path] of asked) {
      // An entry may open a window, over which there is no palette.
      await visit(page, '/');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: say('shell', 'palette.title') }).fill(query);
      const option = page.getByRole('option').filter({ hasText: name }).first();
      await option.waitFor();
      if (query === asked[0][0]) assert.deepEqual(await violations(page), []);
      await option.click();
      await page.waitForURL((url) => url.pathname === path);
    }
    assert.deepEqual(flaws, []);
  });
}

test('a purchase that is found is shown among those of its draw, with the focus', async (t) => {
  const { page, flaws } = await newVisitor(t, both.browser, both.house, { width: 390, height: 800 });
  await visit(page, '/');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('할머니');
  await page.getByRole('option').filter({ hasText: '할머니 생신 기념' }).waitFor();
  await page.keyboard.press('Enter');
  await until(() => page.evaluate(() => document.activeElement?.matches('[data-purchase]') && document.activeElement.textContent.includes('할머니 생신 기념')));
  const { top, bottom } = await page.evaluate(() => document.activeElement.getBoundingClientRect().toJSON());
  assert.ok(top >= 0 && bottom <= 800, `from ${top} to ${bottom}`);
  assert.equal(await page.getByRole('searchbox').inputValue(), '1245');
  assert.equal(new URL(page.url()).search, '');
  assert.deepEqual(flaws, []);
});

test('nothing is called nowhere before the server has said so', async (t) => {
  const { page } = await newVisitor(t, both.browser, both.house, { width: 360, height: 740 });
  const say = await sentences('ko');
  let isAway = false;
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route('**/api/search?*', async (route) => {
    if (isAway) return route.fulfill({ status: 503, contentType: 'application/json', body: '{}' });
    await released;
    return route.continue();
  });
  await visit(page, '/');
  await page.keyboard.press('Control+k');
  const line = page.getByRole('combobox', { name: say('shell', 'palette.title') });
  const status = page.getByRole('dialog').getByRole('status');
  await line.fill('금붕어');
  await status.getByText(say('shell', 'palette.asking'), { exact: true }).waitFor();
  release();
  await status.getByText(say('shell', 'palette.none', { query: '금붕어' }), { exact: true }).waitFor();
  isAway = true;
  await line.fill('금붕어 밥');
  await status.getByText(say('shell', 'palette.failed'), { exact: true }).waitFor();
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/palette-failed.png` });
  // What is here is found all the same.
  await line.fill('시스템');
  await page.getByRole('option').filter({ hasText: '시스템' }).first().waitFor();
  await status.getByText(say('shell', 'palette.failed'), { exact: true }).waitFor();
  assert.deepEqual(await violations(page), []);
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/palette-failed-some.png` });
});

test('settings that do not all stand in the palette are found by their page', async (t) => {
  const { page, flaws } = await newVisitor(t, both.browser, both.house);
  await visit(page, '/');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('최대');
  const settings = page.getByRole('group', { name: '설정' }).getByRole('option');
  await settings.nth(5).waitFor();
  assert.equal(await settings.filter({ hasText: '최대 로그인 유지 기간' }).count(), 1);
  await settings.filter({ hasText: /설정 검색 결과 \d+개 더 보기/ }).click();
  await page.waitForURL((url) => url.pathname === '/system/settings');
  await page.waitForFunction(() => document.querySelector('input[type=search]')?.value === '최대');
  assert.deepEqual(flaws, []);
});

test('a draw of which nothing was written says so, and leads to the newest', async (t) => {
  const { page } = await newVisitor(t, both.browser, both.house, { width: 360 });
  const say = await sentences('ko');
  for (const [path, kind] of [['', 'report'], ['/briefing', 'briefing'], ['/review', 'review']]) {
    await visit(page, `/lottery/reports${path}?draw=9999`);
    await page.getByText(say('lottery', `${kind}.none_of`, { draw: 9999 })).waitFor();
    const select = page.getByRole('combobox', { name: say('lottery', 'report.choose') });
    if ((await select.count()) > 0) assert.notEqual(await select.evaluate((one) => one.selectedOptions[0]?.textContent.trim() ?? ''), '');
    await page.getByRole('link', { name: say('lottery', 'reports.newest') }).click();
    await page.waitForURL((url) => url.pathname === `/lottery/reports${path}` && url.search === '');
  }
});

for (const language of ['ko', 'en']) {
  test(`the palette finds what there is by what people call it, in either language (${language})`, async (t) => {
    const { page, flaws } = await newVisitor(t, both.browser, both.house, { language });
    const say = await sentences(language);
    await visit(page, '/todos');
    await page.keyboard.press('Control+k');
    const line = page.getByRole('combobox');
    for (const [words, name] of [
      [['복권', '로또', 'lottery'], say('lottery', 'palette.statistics')],
      [['어두운', '다크', 'dark theme'], say('shell', 'action.theme.dark')],
      [['모아', '조합', 'combine'], say('lottery', 'action.combine')],
      [['설정', 'settings', 'preferences'], say('system', 'palette.settings')],
      [['카드 정리', 'arrange'], say('today', 'action.arrange')],
      [['내 번호', 'own numbers'], say('lottery', 'palette.statistics')],
      [['보류', 'kept aside'], say('lottery', 'palette.recommend')],
      [['세금', 'tax'], say('lottery', 'palette.purchases')],
      [['올리기', 'upload'], say('blog', 'name')],
      [['올리기', 'upload'], say('system', 'action.restore')],
      [['lan', '다른 기기', 'other devices'], say('system', 'action.network')],
    ]) {
      for (const word of words) {
        await line.fill(word);
        await page.getByRole('option', { name }).first().waitFor();
      }
    }
    assert.deepEqual(flaws, []);
  });
}
