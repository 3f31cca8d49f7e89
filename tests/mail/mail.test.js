/** A house and a mail server of its own, which refuses, puts off, and holds a mail while the house is killed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, newFolder, openHouse, post, until } from '../browser/house.js';
import { mailServer, PASSWORD } from '../browser/mail-server.js';

const TO = 'jiwoo@example.com';
const TEST = { to: TO, language: 'ko' };

/** What a mail server says to one whom it refuses. */
function refusal(responseCode, words) {
  return Object.assign(new Error(words), { responseCode });
}

/** Waits until the newest mail of the house stands like this, and gives it. */
const whenStatus = (house, ...statuses) => until(async () => {
  const [mail] = (await get(house, '/api/system/mail')).mails;
  return statuses.includes(mail.status) && mail;
});

test('a mail reaches the server through a safe connection with sign-in, once', async (t) => {
  const { taken, settings } = await mailServer(t);
  const house = await openHouse(t, { settings });
  await post(house, '/api/system/mail/test', TEST);
  const { attempts, sent_at } = await whenStatus(house, 'sent');
  assert.equal(attempts, 1);
  assert.ok(sent_at);
  assert.deepEqual(taken.map(({ to }) => to), [[TO]]);
  assert.match(taken[0].text, /^Message-ID: <.+>$/im);
  assert.match(taken[0].text, /^Content-Type: multipart\/alternative/im);
  assert.ok(!house.log.join('\n').includes(PASSWORD), 'the password stands in the log');
});

test('a recipient who is refused for good has failed with the number that the server gave, one who is put off waits', async (t) => {
  const answers = [refusal(550, 'no such mailbox'), refusal(451, 'greylisted, try again')];
  const { taken, settings } = await mailServer(t, { asked: () => answers.shift() });
  const house = await openHouse(t, { settings });
  await post(house, '/api/system/mail/test', TEST);
  const failed = await whenStatus(house, 'failed');
  assert.match(failed.message, /for good \(550\)/);
  await post(house, '/api/system/mail/test', TEST);
  const waiting = await until(async () => {
    const mail = await whenStatus(house, 'waiting');
    // Its status is written down before its task has ended, and with that when it is tried again.
    return mail.attempts === 1 && mail.next_attempt_at && mail;
  });
  assert.match(waiting.message, /puts the mail off \(451\)/);
  assert.ok(new Date(waiting.next_attempt_at) > new Date());
  assert.equal(taken.length, 0);
});

test('killed while the server has the mail and has not answered, its delivery is unknown after the start and goes out again only when somebody says so', async (t) => {
  let hasCome;
  const came = new Promise((resolve) => (hasCome = resolve));
  let holds = true;
  const held = () => {
    hasCome();
    return holds ? new Promise(() => undefined) : undefined;
  };
  const { taken, settings } = await mailServer(t, { held });
  const folder = await newFolder(t);
  const killed = await openHouse(t, { settings, folder });
  await post(killed, '/api/system/mail/test', TEST);
  await came;
  killed.signal('SIGKILL');
  await killed.stop();
  holds = false;
  const house = await openHouse(t, { settings, folder });
  const { id } = await whenStatus(house, 'delivery_unknown');
  assert.match(await (await fetch(`${house.household}/metrics`)).text(), /^hanok_mails\{status="delivery_unknown"\} 1$/m);
  assert.equal(taken.length, 0);
  await post(house, `/api/system/mail/${id}/send`);
  await whenStatus(house, 'sent');
  assert.deepEqual(taken.map(({ to }) => to), [[TO]]);
});
