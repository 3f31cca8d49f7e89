/** The lottery operator, played on this machine: every draw that is published, in the shape of its real answers. */

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const DATA = new URL('../../assets/data/lotto/', import.meta.url);
const SAMPLE = new URL('../api/samples/selectPstLt645Info_1215.json', import.meta.url);
const WEEK = 7 * 24 * 3600 * 1000;

/** An operator who ends with the test `t`. */
export async function openOperator(t) {
  const sample = JSON.parse(await readFile(SAMPLE, 'utf8')).data.list[0];
  const rows = new Map();
  const publish = (draw, numbers, bonus, published = {}) => {
    const date = new Date(Date.UTC(2002, 11, 7) + WEEK * (draw - 1)).toISOString().slice(0, 10).replaceAll('-', '');
    const named = Object.fromEntries(numbers.map((number, at) => [`tm${at + 1}WnNo`, number]));
    rows.set(draw, { ...sample, ...published, ...named, ltEpsd: draw, ltRflYmd: date, bnsWnNo: bonus });
  };
  publish(...(await newestKnown()));
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://operator');
    if (!pathname.startsWith('/lt645/')) return response.writeHead(404).end();
    const one = Number(searchParams.get('srchLtEpsd'));
    const from = Number(searchParams.get('srchStrLtEpsd')) || one || 1;
    const to = Number(searchParams.get('srchEndLtEpsd')) || one || Infinity;
    const list = [...rows.values()].filter((row) => row.ltEpsd >= from && row.ltEpsd <= to);
    response.setHeader('content-type', 'application/json;charset=UTF-8');
    return response.end(JSON.stringify({ resultCode: null, resultMessage: null, data: { list } }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t?.after(() => server.close());
  return { address: `http://127.0.0.1:${server.address().port}`, publish, stop: () => server.close() };
}

/** The operator has the newest draw that ships with the program, too: every question begins with a known draw. */
async function newestKnown() {
  const last = async (file) => (await readFile(new URL(file, DATA), 'utf8')).trim().split('\n').at(-1).split(',');
  const [draw, , ...balls] = await last('draws.csv');
  const prizes = (await last('prizes.csv')).slice(1).map(Number);
  const ranks = [1, 2, 3, 4, 5].flatMap((rank) => [
    [`rnk${rank}WnNope`, prizes[2 * rank - 2]],
    [`rnk${rank}WnAmt`, prizes[2 * rank - 1]],
  ]);
  const [wholEpsdSumNtslAmt, winType1, winType2, winType3] = prizes.slice(10);
  const published = { ...Object.fromEntries(ranks), wholEpsdSumNtslAmt, winType1, winType2, winType3 };
  return [Number(draw), balls.slice(0, 6).map(Number), Number(balls[6]), published];
}
