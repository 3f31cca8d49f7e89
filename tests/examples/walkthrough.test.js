/** The household's first week, walked at the real binary, with an operator who has drawn since. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { openHouse } from '../browser/house.js';
import { ENVIRONMENT, needs, openGuardedHouse, path, run } from './tools.js';

const PASSPHRASE = "father's 'five' apricot \"blossoms\"";

test('the first week goes as it is written, behind a passphrase', needs('curl', 'jq'), async (t) => {
  const operator = await openOperator(t);
  const settings = { HANOK_LOTTERY__OPERATOR: operator };
  const house = await openGuardedHouse(t, PASSPHRASE, { listen: '0.0.0.0:0', settings });
  const said = await walk(house, { PASSPHRASE });
  for (const sentence of [
    'The first evening',
    'asked twice, written once',
    'live events told of the new todo',
    'the operator was asked: succeeded',
    'what came after it is kept aside',
    'signed out: the door is closed',
    'The first week is over.',
  ]) {
    assert.ok(said.includes(sentence), `${sentence} is missing in:\n${said}`);
  }
  await assert.rejects(walk(house, { PASSPHRASE: 'a wrong one' }), /sign-in answered 401/);
});

test('the first week goes without a passphrase on the machine itself, also when the operator is away', needs('curl', 'jq'), async (t) => {
  const house = await openHouse(t);
  const said = await walk(house, {});
  assert.match(said, /the operator was asked: (failed|waiting|cancelled)/);
  assert.match(said, /The first week is over\.\n$/);
});

const walk = (house, settings) => run(path('examples/walkthrough.sh'), [house.household], { env: { ...ENVIRONMENT, ...settings } });

/** The lottery's operator: has every draw up to today, all with the numbers of one that it published. */
async function openOperator(t) {
  const sample = JSON.parse(await readFile(new URL('../api/samples/selectPstLt645Info_1215.json', import.meta.url)));
  const [published] = sample.data.list;
  const first = Date.UTC(2002, 11, 7, 11, 45);
  const week = 7 * 24 * 3600 * 1000;
  const newest = Math.floor((Date.now() - first) / week) + 1;
  const row = (draw) => {
    const day = new Date(first + (draw - 1) * week).toISOString().slice(0, 10).replaceAll('-', '');
    return { ...published, ltEpsd: draw, ltRflYmd: day };
  };
  const server = createServer((request, response) => {
    const asked = new URL(request.url, 'http://operator').searchParams;
    const number = (name, otherwise) => Number(asked.get(name) ?? otherwise);
    const from = number('srchLtEpsd', number('srchStrLtEpsd', newest));
    const to = Math.min(newest, number('srchEndLtEpsd', from));
    const list = Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => row(from + place));
    response.setHeader('content-type', 'application/json;charset=UTF-8');
    response.end(JSON.stringify({ ...sample, data: { list } }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.closeAllConnections() ?? server.close());
  return `http://127.0.0.1:${server.address().port}`;
}
