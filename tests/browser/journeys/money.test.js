/** The household's money: from its first holding to an order, a sale and what was earned; and from no data to why a stock passes. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, settled, until, visit } from '../browser.js';
import { get, openHouse, sentences } from '../house.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

test('from the first holding to a chart, a paper order, a sale and what was earned', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);

  await visit(page, '/portfolio');
  await page.getByRole('button', { name: say('portfolio', 'first'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: say('portfolio', 'field.symbol') }).fill('005930');
  await dialog.getByRole('listbox').getByRole('option').first().click();
  await dialog.getByLabel(say('portfolio', 'field.broker')).fill('데모증권');
  await dialog.getByLabel(say('portfolio', 'field.quantity')).fill('10');
  await dialog.getByLabel(say('portfolio', 'field.avg_price')).fill('70000');
  await dialog.getByLabel(say('portfolio', 'field.price')).fill('72000');
  await dialog.getByRole('button', { name: say('portfolio', 'add.do'), exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  const { items: [item], totals } = await get(house, '/api/portfolio');
  assert.deepEqual([item.symbol, item.value_krw, item.profit_krw, totals.total_assets], ['005930', 720_000, 20_000, 720_000]);

  await page.getByRole('button', { name: say('portfolio', 'record'), exact: true }).click();
  await until(async () => (await get(house, '/api/portfolio/snapshot/history')).history[0]?.total_assets === 720_000);
  await page.getByRole('region', { name: say('portfolio', 'chart') }).getByText('720,000원').first().waitFor();

  // The price that was entered there is the one that orders know.
  await visit(page, '/trade');
  await page.getByRole('note').filter({ hasText: say('trade', 'mode.paper') }).waitFor();
  await page.getByRole('combobox', { name: say('trade', 'field.symbol') }).fill('005930');
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.getByLabel(say('trade', 'field.quantity'), { exact: true }).fill('2');
  await page.getByRole('button', { name: say('trade', 'price.current', { price: '72,000원' }) }).click();
  await page.getByText(say('trade', 'preview.total.buy')).waitFor();
  await page.getByRole('button', { name: say('trade', 'send.paper.buy'), exact: true }).click();
  const { orders: [order] } = await until(async () => {
    const answer = await get(house, '/api/trade/orders');
    return answer.total === 1 && answer;
  });
  assert.deepEqual([order.mode, order.symbol, order.quantity, order.price], ['paper', '005930', 2, 72_000]);
  // The exchange has its hours, and the house the clock of this machine: the order is filled, or it waits.
  assert.ok(['filled', 'open'].includes(order.status), order.status);
  await page.getByRole('status').getByText(say('trade', 'outcome.buy', { name: order.name, count: 2 })).waitFor();
  await page.getByText(say('trade', `status.${order.status}`), { exact: true }).first().waitFor();
  if (order.status === 'filled') {
    const { holdings: [held] } = await get(house, '/api/trade/balance');
    assert.deepEqual([held.symbol, held.quantity], ['005930', 2]);
  } else {
    await page.getByRole('button', { name: say('trade', 'cancel_of', { name: order.name }) }).click();
    await page.getByText(say('trade', 'open.none'), { exact: true }).waitFor();
    assert.equal((await get(house, '/api/trade/orders')).orders[0].status, 'cancelled');
  }

  await visit(page, `/portfolio/items/${item.id}`);
  const sale = page.getByRole('region', { name: say('portfolio', 'sell'), exact: true });
  await sale.getByLabel(say('portfolio', 'field.sell_quantity')).fill('4');
  await sale.getByLabel(say('portfolio', 'field.sell_price')).fill('73000');
  await sale.getByRole('button', { name: say('portfolio', 'sell.do'), exact: true }).click();
  await page.getByText(say('portfolio', 'sold.profit', { name: item.name, profit: '+12,000원' })).waitFor();
  await visit(page, '/portfolio/sales');
  await page.getByText(say('shell', 'chart.table')).first().click();
  await page.getByRole('region', { name: say('shell', 'chart.table_of', { title: say('portfolio', 'months.each') }) }).getByRole('cell', { name: '+12,000원' }).waitFor();
  assert.equal((await get(house, '/api/portfolio')).items[0].quantity, '6');
  assert.deepEqual(flaws, []);
});

test('from no data to the demo, a run, and why one stock passes', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);

  await visit(page, '/screener');
  await page.getByText('hanok screener import', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: say('screener', 'demo.make'), exact: true }).click();
  await page.getByText(say('screener', 'demo'), { exact: true }).first().waitFor();
  await page.getByRole('button', { name: say('screener', 'run'), exact: true }).click();
  const { runs: [made] } = await until(async () => {
    const answer = await get(house, '/api/stock/screener/runs');
    return answer.total === 1 && answer;
  });
  assert.ok(made.is_demo && made.universe > 0 && made.passed <= made.universe, JSON.stringify(made));
  const run = await get(house, `/api/stock/screener/runs/${made.id}`);
  const [stock] = run.results;
  if (!stock.passed) await page.getByRole('button', { name: say('screener', 'run.show.others', { count: run.results.length }) }).click();
  await page.locator('summary').filter({ hasText: say('screener', 'reasons.of', { name: stock.name }) }).click();
  const reasons = page.locator('[data-reason]');
  await reasons.first().waitFor();
  assert.equal(await reasons.count(), stock.values.length);

  await page.getByRole('link', { name: stock.name }).click();
  await page.waitForURL(`**/screener/stocks/${stock.symbol}`);
  await settled(page);
  await page.getByRole('heading', { name: stock.name, level: 1 }).waitFor();
  await page.getByRole('heading', { name: say('screener', 'stock.candles', { name: stock.name }) }).waitFor();
  await page.getByText(say('screener', stock.passed ? 'stock.passed' : 'stock.out'), { exact: true }).first().waitFor();
  await visit(page, '/screener/runs');
  await page.getByRole('link', { name: run.name }).click();
  await page.waitForURL(`**/screener/runs/${run.id}`);
  assert.deepEqual(flaws, []);
});
