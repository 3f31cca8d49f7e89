/** From a request to the work: what a customer and the owner do with a quote, with a real mail server between them. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBrowser, until } from '../browser.js';
import { command, openHouse } from '../house.js';
import { mailServer } from '../mail-server.js';
import { looksRight, PASSWORD, textOf, visitor, VISITORS } from '../site.js';

const CUSTOMER = 'jiwoo@example.com';
const OWNER = 'owner@example.com';

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

test('a request becomes a quote that is accepted as it was shown, and a project of which 43 % are done', async (t) => {
  const { taken, settings } = await mailServer(t);
  const house = await openHouse(t, { settings: { ...settings, HANOK_CONTACT__NOTICE_TO: OWNER } });
  const [phone, desktop] = [VISITORS[0], VISITORS[2]];
  const { page: customer, flaws } = await visitor(t, browser, house, phone);
  const { page: owner, flaws: flawsOfOwner } = await visitor(t, browser, house, desktop);
  /** The mail that the server has taken for `to`, whose text holds `words`. */
  const mailTo = (to, words) => until(() => taken.find((mail) => mail.to.includes(to) && textOf(mail.text).includes(words)));
  const linkIn = (mail, path) => new RegExp(`https?://[^\\s"<]*${path}[\\w.-]+`).exec(textOf(mail.text))[0];

  await customer.goto('/contact');
  for (let step = 0; step < 2; step++) await customer.getByRole('button', { name: '다음' }).click();
  await customer.locator('#message').fill('예약을 대신 받는 봇이 필요합니다.');
  await customer.getByRole('button', { name: '다음' }).click();
  await customer.locator('#name').fill('김지우');
  await customer.locator('#email').fill(CUSTOMER);
  await customer.getByRole('button', { name: '의뢰 보내기' }).click();
  await customer.getByRole('heading', { name: '의뢰를 받았습니다' }).waitFor();
  const tracking = linkIn(await mailTo(CUSTOMER, '/contact/'), '/contact/');
  await mailTo(OWNER, '예약을 대신 받는 봇이 필요합니다.');

  const { link } = JSON.parse(await command(house.data, 'admin', 'create', 'minsu', '--json'));
  const { pathname, search } = new URL(link);
  await owner.goto(pathname + search);
  await owner.locator('[name=password]').fill(PASSWORD);
  await owner.locator('.button.main').click();
  await owner.waitForURL('**/admin/desk');
  await owner.goto('/admin/contacts');
  await owner.getByRole('link', { name: '김지우' }).click();
  await owner.getByRole('link', { name: '견적 작성' }).click();
  await owner.locator('#title').fill('예약 봇');
  await owner.locator('main .button.main').click();
  await owner.waitForURL('**/edit');
  const line = async (at, name, price) => {
    await owner.locator(`[name="items[${at}].name"]`).fill(name);
    await owner.locator(`[name="items[${at}].unit_price"]`).fill(price);
  };
  await line(0, '예약 화면', '1000000');
  await line(1, '결제 연결', '300000');
  await owner.locator('[name="items[1].optional"]').check();
  await owner.locator('[name="wbs[0].phase"]').fill('화면 설계');
  await looksRight(owner, 'quote-editor');
  await owner.getByRole('button', { name: '저장', exact: true }).click();
  await owner.getByRole('status').waitFor();
  await owner.getByRole('link', { name: '← 예약 봇' }).click();
  await looksRight(owner, 'quote-at-desk');
  await owner.locator('details[open] .button.main').click();
  await owner.locator('#link').waitFor();

  // The customer opens it from the mail, adds what is optional, and accepts what is shown.
  const opened = linkIn(await mailTo(CUSTOMER, '/quote/'), '/quote/');
  await customer.goto(opened);
  const total = customer.locator('.sum-total [data-total]');
  assert.equal(await total.innerText(), '1,100,000원');
  await customer.getByRole('checkbox').check();
  await until(async () => (await total.innerText()) === '1,430,000원');
  await looksRight(customer, 'quote');
  await customer.getByRole('button', { name: '이 내용으로 수락하기' }).click();
  await customer.getByRole('button', { name: '견적 수락하기' }).click();
  await customer.getByRole('heading', { name: '수락한 견적입니다' }).waitFor();
  await looksRight(customer, 'quote-accepted');
  const hash = await customer.locator('details .hash').textContent();
  await mailTo(CUSTOMER, hash);
  await mailTo(OWNER, '1,430,000');
  await customer.goto(tracking);
  await customer.locator('.way [aria-current]').getByText('계약 확정').waitFor();

  // An account follows it from here on.
  await customer.goto('/account/register');
  await customer.locator('#mail').fill(CUSTOMER);
  await customer.getByRole('button', { name: '메일 받기' }).click();
  const begin = await until(() => taken.map((mail) => /\/account\/password\?token=[\w.-]+/.exec(textOf(mail.text))?.[0]).find(Boolean));
  await customer.goto(begin);
  await customer.locator('#password').fill(PASSWORD);
  await customer.getByRole('button', { name: '비밀번호 설정하고 로그인' }).click();
  await customer.goto('/account/projects');
  await customer.locator('#token').fill(opened);
  await customer.getByRole('button', { name: '추가' }).click();
  await customer.getByRole('heading', { name: '예약 봇' }).waitFor();

  await owner.goto('/admin/projects');
  await owner.getByRole('link', { name: '예약 봇' }).click();
  await owner.getByRole('button', { name: '기본 7단계 추가' }).click();
  for (let step = 0; step < 4; step++) {
    const buttons = owner.locator('.path > li').nth(step).locator('form button').first();
    await buttons.click();
    await owner.getByRole('status').waitFor();
    if (step < 3) {
      await buttons.click();
      await owner.getByText(`${Math.round((step + 1) * 100 / 7)}%`).first().waitFor();
    }
  }
  await looksRight(owner, 'project-at-desk');
  await customer.reload();
  await customer.locator('.path').waitFor();
  assert.equal(await customer.locator('.progress-line strong').innerText(), '43%');
  assert.equal(await customer.locator('.path > li').count(), 7);
  assert.equal(await customer.locator('.path [aria-current=step]').count(), 1);
  await looksRight(customer, 'project');
  assert.deepEqual([flaws, flawsOfOwner], [[], []]);
});
