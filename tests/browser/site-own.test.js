/** Pages of the customer site that are somebody's own: an admin's second step, share links, a customer's data and chat. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { openBrowser, until } from './browser.js';
import { openHouse } from './house.js';
import { isAtRest, looksRight, OPPOSITES, PASSWORD, passwordLink, prefix, visitor } from './site.js';

const TOKEN = '123456789:token-of-the-tests';
const CHAT = 6_000_000_001;
const REQUEST = { name: '김지우', email: 'jiwoo@example.com', message: '예약을 대신 받는 봇이 필요합니다.', budget: '300만 원' };

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

test('a share link shows a stranger how far a request is and nothing of who sent it, until it is ended', async (t) => {
  const house = await openHouse(t);
  for (const how of OPPOSITES) {
    const named = `${how.language}-${how.width}`;
    const { page, flaws } = await visitor(t, browser, house, how);
    const sent = await (await page.request.post('/api/contact', { data: REQUEST })).json();
    await page.goto(`${prefix(how.language)}/contact/${sent.public_token}`);
    await page.locator('#label').fill('동생');
    await page.locator('.shares form.steps .button').click();
    const address = await page.locator('.shares .history .address').getAttribute('href');

    const stranger = await visitor(t, browser, house, how);
    const opened = await stranger.page.goto(address);
    assert.match(opened.headers()['cache-control'], /no-store/);
    await stranger.page.locator('.way [aria-current]').waitFor();
    await isAtRest(stranger.page, 'shared');
    await looksRight(stranger.page, `shared-${named}`);
    const seen = await stranger.page.content();
    assert.deepEqual([...Object.values(REQUEST), sent.public_token].filter((own) => seen.includes(own)), []);
    assert.equal(await stranger.page.locator('main form').count(), 0);

    await page.reload();
    await page.locator('.shares .history time').nth(1).waitFor();
    await page.locator('.shares .history button').click();
    await page.locator('.shares [role=status]').waitFor();
    assert.equal(await page.locator('.shares .history').count(), 0);
    await looksRight(page, `share-ended-${named}`);
    assert.equal((await stranger.page.reload()).status(), 404);
    await stranger.page.locator('main h1').waitFor();
    await looksRight(stranger.page, `shared-ended-${named}`);
    assert.deepEqual([flaws, stranger.flaws], [[], []]);
  }
});

/** Telegram, played on this machine until the test ends: a bot, and somebody who writes to it. */
async function openTelegram(t) {
  const [written, told] = [[], []];
  let hear = () => undefined;
  const server = createServer(async (request, response) => {
    const asked = await json(request);
    const answer = (result) => response.end(JSON.stringify({ ok: true, result }));
    const method = request.url.split('/').at(-1);
    if (method === 'getMe') return answer({ id: 123456789, is_bot: true, username: 'shop_bot' });
    if (method === 'sendMessage') told.push(asked);
    if (method !== 'getUpdates') return answer({ message_id: told.length });
    const news = () => written.filter(({ update_id }) => update_id >= (asked.offset ?? 0));
    hear = () => !response.writableEnded && news().length > 0 && answer(news());
    return hear();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const write = (text) => {
    const update_id = written.length + 1;
    written.push({ update_id, message: { message_id: update_id, chat: { id: CHAT, type: 'private' }, from: { id: CHAT, language_code: 'en' }, text } });
    hear();
  };
  return { settings: { HANOK_CHAT__TOKEN: TOKEN, HANOK_CHAT__ADDRESS: `http://127.0.0.1:${server.address().port}` }, write, told };
}

test('a customer connects a chat, takes along all that the house knows of the account, and ends the chat', async (t) => {
  for (const how of OPPOSITES) {
    const named = `${how.language}-${how.width}`;
    const telegram = await openTelegram(t);
    const house = await openHouse(t, { settings: telegram.settings });
    const { page, flaws } = await visitor(t, browser, house, how);
    for (const request of [REQUEST, { ...REQUEST, email: 'another@example.com', message: '다른 사람의 의뢰' }]) {
      assert.ok((await page.request.post('/api/contact', { data: request })).ok());
    }
    await page.request.post('/api/account/register', { data: { mail: REQUEST.email, language: how.language } });
    const token = (await passwordLink(house)).split('token=')[1];
    assert.ok((await page.request.post('/api/account/password', { data: { token, password: PASSWORD, name: REQUEST.name } })).ok());

    await page.goto(`${prefix(how.language)}/account`);
    const chat = page.locator('section[aria-labelledby=chat]');
    await chat.locator('button').click();
    const code = await chat.locator('code').innerText();
    assert.equal(await chat.locator('a.button').getAttribute('href'), `https://t.me/shop_bot?start=${code.slice('/start '.length)}`);
    await looksRight(page, `account-code-${named}`);
    telegram.write(code);
    await until(() => telegram.told.length > 0);
    assert.match(telegram.told[0].text, /^Connected/);
    await page.goto(`${prefix(how.language)}/account`);
    await chat.locator('time').waitFor();
    await isAtRest(page, 'account with a chat');
    await looksRight(page, `account-chat-${named}`);

    // What is refused in a section is corrected at its field, and what was done there is told there.
    await page.locator('#present').fill('another one');
    await page.locator('#password').fill(PASSWORD);
    await page.locator('#password').press('Enter');
    await page.locator('#present-fault').waitFor();
    await page.locator('#present:focus').waitFor();
    await page.locator('#name').press('Enter');
    await page.locator('section[aria-labelledby=profile] [role=status]').waitFor();
    assert.equal(new URL(page.url()).hash, '#profile');

    const coming = page.waitForEvent('download');
    await page.locator('a[href$="/account/export"]').click();
    const file = await coming;
    assert.match(file.suggestedFilename(), /^account-\d{4}-\d\d-\d\d\.json$/);
    const text = await readFile(await file.path(), 'utf8');
    const own = JSON.parse(text);
    assert.deepEqual([own.account.mail, own.account.profile.name, own.chats[0].chat], [REQUEST.email, REQUEST.name, CHAT]);
    assert.deepEqual(own.requests.map(({ details }) => [details.message, details.budget]), [[REQUEST.message, REQUEST.budget]]);
    assert.deepEqual(own.mails.map(({ kind }) => kind).sort(), ['account_registration', 'contact_receipt']);
    assert.deepEqual([own.devices.length, own.identities], [1, []]);
    assert.ok(!text.includes('another@example.com') && !text.includes(token));

    await chat.locator('button').click();
    await chat.locator('[role=status]').waitFor();
    assert.equal(await chat.locator('time').count(), 0);
    assert.equal(new URL(page.url()).hash, '#chat');
    assert.deepEqual(flaws, []);
  }
});
