/** Takes the README's pictures from the real app: `npm --prefix tests/browser run screenshots`. */

import { mkdir } from 'node:fs/promises';
import { newVisitor, openBrowser, visit } from './browser.js';
import { openHouse } from './house.js';
import { openOperator } from './operator.js';

const docs = new URL('../../docs/', import.meta.url).pathname;
const operator = await openOperator(undefined);
// At the usual address, as a new house says it of itself.
const house = await openHouse(undefined, { listen: null, settings: { HANOK_LOTTERY__OPERATOR: operator.address } });
const browser = await openBrowser();

async function post(path, body) {
  const response = await fetch(house.household + path, {
    method: 'POST',
    headers: body && { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Seoul' });
await post('/api/todos', { title: '베란다 화분에 물 주기', due: today });
await post('/api/todos', { title: '관리비 자동이체 확인', due: today, note: '지난달과 비교하기' });
await post('/api/todos', { title: '할머니 생신 선물 고르기' });
await post('/api/admin/simulate?seed=2026');
await post('/api/lotto/purchase', { draw_no: 1245, sets: [[4, 5, 25, 28, 33, 41], [7, 11, 19, 26, 37, 44]] });
await post('/api/system/backups');

await mkdir(docs, { recursive: true });
const { page } = await newVisitor(undefined, browser, house, { width: 1280, height: 860 });
for (const [name, path] of [['today', '/'], ['lottery', '/lottery']]) {
  await visit(page, path);
  await page.screenshot({ path: `${docs}${name}.png` });
}
await browser.close();
await house.stop();
operator.stop();
