/** The mail page: a test that is sent, one that may arrive twice and is asked about, and one that nobody needs. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, settled, sticksOut, until, violations, visit } from './browser.js';
import { get, NOBODY, openHouse, sentences } from './house.js';

const SUBJECTS = { ko: 'hanok 테스트 메일', en: 'hanok test mail' };
let browser;

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

test('a test mail is sent, and asked about before it goes out again, in both languages, on a phone and on a desktop', async (t) => {
  for (const [language, width, theme] of [['ko', 360, 'dark'], ['en', 1200, 'light']]) {
    const house = await openHouse(t);
    const say = await sentences(language);
    const { page, flaws } = await newVisitor(t, browser, house, { language, width, theme });
    await visit(page, '/system/mail');
    await page.getByText(say('system', 'mail.none')).waitFor();
    await page.getByLabel(say('system', 'mail.test.to')).fill('jiwoo@example.com');
    await page.getByRole('button', { name: say('system', 'mail.test') }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'jiwoo@example.com' });
    await row.getByText(say('system', 'mail.status.kept'), { exact: true }).waitFor();
    const subject = SUBJECTS[language];
    await row.getByRole('button', { name: say('system', 'mail.send_of', { subject }) }).click();
    await row.getByText(say('system', 'mail.twice')).waitFor();
    await settled(page);
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/mail-${width}.png`, fullPage: true });
    assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
    await row.getByRole('button', { name: say('system', 'mail.send_anyway') }).click();
    await page.getByText(say('system', 'mail.sent_again')).waitFor();
    // The row may still say what it said before: while the mail is on its way it is not deleted.
    await until(async () => (await get(house, '/api/system/mail')).mails[0].status === 'sent');
    await row.getByRole('button', { name: say('system', 'mail.remove_of', { subject }) }).click();
    await page.getByText(say('system', 'mail.none')).waitFor();
    assert.equal((await get(house, '/api/system/mail')).total, 0);
    assert.deepEqual(flaws, []);
  }
});

test('a mail that is put off says why and when it is tried again', async (t) => {
  const [host, port] = NOBODY.split(':');
  const house = await openHouse(t, { settings: { HANOK_MAIL__HOST: host, HANOK_MAIL__PORT: port, HANOK_MAIL__SECURITY: 'none', HANOK_MAIL__FROM: 'house@example.com' } });
  const say = await sentences('ko');
  const { page, flaws } = await newVisitor(t, browser, house, {});
  await visit(page, '/system/mail');
  await page.getByText(say('system', 'mail.server', { server: host, from: 'house@example.com' })).waitFor();
  await page.getByLabel(say('system', 'mail.test.to')).fill('jiwoo@example.com');
  await page.getByRole('button', { name: say('system', 'mail.test') }).click();
  await page.getByText(say('house', 'mail.not_reached', { host })).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'jiwoo@example.com' }).getByText(say('system', 'mail.status.waiting'), { exact: true }).waitFor();
  assert.deepEqual(flaws, []);
});
