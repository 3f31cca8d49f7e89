/** Customers: a request from the form to the page behind its link, and an account that is begun by a mail. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBrowser, until } from '../browser.js';
import { openHouse } from '../house.js';
import { isAtRest, looksRight, mails, OPPOSITES, PASSWORD, passwordLink, prefix, visitor } from '../site.js';

const WORDS = {
  ko: { next: '다음', missing: '이 칸을 입력해 주세요.', send: '의뢰 보내기', service: '봇', message: '예약을 대신 받는 봇이 필요합니다.', sent: '의뢰를 받았습니다', address: '메일 주소여야 합니다', home: '의뢰 시작하기', share: '공유 링크 만들기', other: 'English' },
  en: { next: 'Next', missing: 'Please fill this in.', send: 'Send request', service: 'Bot', message: 'We need a bot that takes bookings.', sent: 'We received your request', address: 'mail address such as', home: 'Start a request', share: 'Make a share link', other: '한국어' },
};

const ACCOUNT = {
  ko: { create: '계정 만들기', send: '메일 받기', set: '비밀번호 설정하고 로그인', out: '로그아웃' },
  en: { create: 'Create an account', send: 'Send the mail', set: 'Set it and go on', out: 'Sign out' },
};

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

test('a request goes from the form in steps to a mail and to the page behind its link', async (t) => {
  for (const how of OPPOSITES) {
    const house = await openHouse(t);
    const say = WORDS[how.language];
    const { page, flaws } = await visitor(t, browser, house, how);
    await page.goto(prefix(how.language) || '/');
    await page.getByRole('link', { name: say.home }).click();
    await page.getByRole('radio', { name: say.service, exact: true }).check();
    await page.getByRole('button', { name: say.next }).click();
    await page.getByRole('button', { name: say.next }).click();
    // What is missing is said in the language of the page.
    await page.getByRole('button', { name: say.next }).click();
    assert.equal(await page.locator('#message-fault').textContent(), say.missing);
    await page.locator('#message').fill(say.message);
    // What was typed outlives a reload, and the visitor goes on at the same step.
    await page.reload();
    await until(async () => (await page.locator('#message').inputValue()) === say.message);
    await isAtRest(page, 'a form that goes on');
    await page.getByRole('button', { name: say.next }).click();
    await page.locator('#name').fill('김지우');
    await page.locator('#email').fill('jiwoo@example.com');
    await looksRight(page, `last-step-${how.language}-${how.width}`);
    await page.getByRole('button', { name: say.send }).click();
    await page.getByRole('heading', { name: say.sent }).waitFor();
    await isAtRest(page, 'receipt');
    await looksRight(page, `receipt-${how.language}-${how.width}`);
    assert.equal(await page.evaluate(() => localStorage.length), 0);
    const link = await page.locator('.address').getAttribute('href');
    await until(async () => (await mails(house)).length === 2);
    assert.ok((await mails(house)).some((mail) => mail.includes('jiwoo@example.com')));
    await page.goto(link);
    await page.locator('.way [aria-current]').waitFor();
    await isAtRest(page, 'tracking');
    await looksRight(page, `tracking-${how.language}-${how.width}`);
    // The visitor stays where the share links are, and the button beside a long address in one line.
    await page.getByRole('button', { name: say.share }).click();
    await page.locator('.shares [role=status]').waitFor();
    assert.equal(new URL(page.url()).hash, '#shares');
    const { height } = await page.locator('.shares .history .button').boundingBox();
    assert.ok(height < 60, `${height}`);
    await looksRight(page, `shares-${how.language}-${how.width}`);
    assert.deepEqual(flaws, []);
  }
});

test('a customer begins an account by a mail, and finds it on a page of its own', async (t) => {
  for (const how of OPPOSITES) {
    const house = await openHouse(t);
    const say = ACCOUNT[how.language];
    const { page, flaws } = await visitor(t, browser, house, how);
    await page.goto(`${prefix(how.language)}/account`);
    await page.getByRole('link', { name: say.create }).click();
    await page.locator('#mail').fill('jiwoo@example.com');
    await page.getByRole('button', { name: say.send }).click();
    await page.getByRole('status').waitFor();
    await looksRight(page, `account-sent-${how.language}-${how.width}`);
    const link = await passwordLink(house);
    assert.equal(link.startsWith('/en/'), how.language === 'en', link);
    await page.goto(link);
    await page.locator('#password').fill('short');
    await page.getByRole('button', { name: say.set }).click();
    await page.locator('#password-fault').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'password');
    await looksRight(page, `account-password-${how.language}-${how.width}`);
    await page.locator('#password').fill(PASSWORD);
    await page.getByRole('button', { name: say.set }).click();
    await page.locator('main .lead').getByText('jiwoo@example.com').waitFor();
    await isAtRest(page, 'account');
    await looksRight(page, `account-${how.language}-${how.width}`);
    await page.getByRole('button', { name: say.out, exact: true }).click();
    await page.goto(`${prefix(how.language)}/account`);
    await page.locator('#mail').fill('jiwoo@example.com');
    await page.locator('#password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: say.out, exact: true }).waitFor();
    assert.deepEqual(flaws, []);
  }
});
