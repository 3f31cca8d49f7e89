/** A house and a Bot API server of its own: a chat is connected, told something, and ended. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { command, get, openHouse, post, until } from '../browser/house.js';

const TelegramServer = createRequire(import.meta.url)('telegram-test-api');
const TOKEN = '123456789:token-of-the-tests';
const CHAT = 6_000_000_001;

/** A Bot API server that ends with the test, after what the test opens later. */
async function botApi(t) {
  const server = new TelegramServer({ port: 0, host: '127.0.0.1', storage: 'RAM', storeTimeout: 600 });
  await server.start();
  t.after(() => server.stop());
  return { server, address: `http://127.0.0.1:${server.server.address().port}` };
}

/** The next messages to the person, once there are any. */
async function told(client) {
  const { result } = await client.getUpdates();
  return result.map(({ message }) => message);
}

test('a chat is connected by a code, told something, and told nothing any more once it has stopped', async (t) => {
  const { server, address } = await botApi(t);
  const house = await openHouse(t, { settings: { HANOK_CHAT__TOKEN: TOKEN, HANOK_CHAT__ADDRESS: address } });
  const client = server.getClient(TOKEN, { chatId: CHAT, userId: CHAT, timeout: 20_000 });
  client.url = address;
  const write = (words) => client.sendCommand(client.makeCommand(words, { from: { language_code: 'en' } }));
  const chat = async (...words) => JSON.parse(await command(house.data, 'chat', ...words, '--json'));

  await assert.rejects(command(house.data, 'chat', 'test'), /no chat of the owner is connected/);
  const { code, link } = await chat('code');
  assert.equal(link, `https://t.me/TestNameBot?start=${code}`);
  await write(`/start ${code}`);
  const [connected] = await told(client);
  assert.match(connected.text, /^Connected/);
  assert.deepEqual([Number(connected.chat_id), connected.parse_mode], [CHAT, 'HTML']);

  assert.equal((await chat('test')).status, 'sent');
  assert.match((await told(client))[0].text, /^<b>A test<\/b>/);
  const status = await chat('status');
  assert.deepEqual([status.connected, status.waiting, status.delivery_unknown], [true, 0, 0]);
  const { providers } = await get(house, '/api/system/providers');
  assert.equal(providers.find(({ name }) => name === 'telegram').state, 'ok');
  const measures = await (await fetch(`${house.household}/metrics`)).text();
  assert.match(measures, /^hanok_chat_waiting 0$/m);
  assert.match(measures, /^hanok_provider_up\{provider="telegram"\} 1$/m);

  await post(house, '/api/system/chat/test');
  assert.match((await told(client))[0].text, /^<b>A test<\/b>/);
  // A message has come before it is written down that it was sent.
  const shown = await until(async () => {
    const chat = await get(house, '/api/system/chat');
    return chat.newest.status === 'sent' && chat;
  });
  assert.deepEqual([shown.missing, shown.connected, shown.messages], [null, true, []]);

  await write('/stop');
  assert.match((await told(client))[0].text, /^Disconnected/);
  await assert.rejects(command(house.data, 'chat', 'test'), /no chat of the owner is connected/);
  assert.ok(!house.log.join('\n').includes(TOKEN), 'the token stands in the log');
});

/** Brings to the house what the Bot API server brings, with the word that Telegram shows. */
async function bringer(t, wordOf, house, heard) {
  const bringer = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const brought = await fetch(`${house().customers}${request.url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': wordOf() },
      body: Buffer.concat(parts),
    });
    heard.push(brought.status);
    // The server of the tests ends with a refusal; Telegram tries again.
    response.writeHead(200).end();
  });
  await new Promise((resolve) => bringer.listen(0, '127.0.0.1', resolve));
  t.after(() => bringer.close());
  return `http://127.0.0.1:${bringer.address().port}`;
}

test('by a webhook a chat is connected by what is brought', async (t) => {
  const { server, address } = await botApi(t);
  let house;
  let word = '';
  const heard = [];
  const webhook = await bringer(t, () => word, () => house, heard);
  const settings = { HANOK_CHAT__TOKEN: TOKEN, HANOK_CHAT__ADDRESS: address };
  // The server of the tests keeps no word: it is what the house says to it.
  const setHook = server.setWebhook.bind(server);
  server.setWebhook = (hook, token) => {
    word = hook.secret_token;
    setHook(hook, token);
  };
  house = await openHouse(t, { settings: { ...settings, HANOK_CHAT__WEBHOOK: webhook } });
  await until(async () => (await get(house, '/api/system/chat')).listening);
  assert.equal(server.webhooks[TOKEN].url, `${webhook}/api/chat/hook`);
  const client = server.getClient(TOKEN, { chatId: CHAT, userId: CHAT, timeout: 20_000 });
  client.url = address;
  const write = (words) => client.sendCommand(client.makeCommand(words, { from: { language_code: 'en' } }));
  const { code } = JSON.parse(await command(house.data, 'chat', 'code', '--json'));
  await write(`/start ${code}`);
  assert.match((await told(client))[0].text, /^Connected/);
  word = 'guessed';
  await write('/stop');
  await until(() => heard.length === 2);
  assert.deepEqual(heard, [200, 404]);
  assert.equal((await get(house, '/api/system/chat')).connected, true);
});

test('without a token nothing is asked, and each command says which setting is missing', async (t) => {
  const house = await openHouse(t);
  for (const words of [['code'], ['test'], ['status'], ['again', '1']]) {
    await assert.rejects(command(house.data, 'chat', ...words), /set chat\.token to use this/);
  }
  const { providers } = await get(house, '/api/system/providers');
  const telegram = providers.find(({ name }) => name === 'telegram');
  assert.deepEqual([telegram.state, telegram.setting], ['not_configured', 'chat.token']);
});
