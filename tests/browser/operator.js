/** The lottery operator, played on this machine: every draw that is published, in the shape of its real answers. */

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const SAMPLE = new URL('../api/samples/selectPstLt645Info_1215.json', import.meta.url);
const WEEK = 7 * 24 * 3600 * 1000;

export async function openOperator() {
  const sample = JSON.parse(await readFile(SAMPLE, 'utf8')).data.list[0];
  const rows = new Map();
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
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    publish(draw, numbers, bonus) {
      const date = new Date(Date.UTC(2002, 11, 7) + WEEK * (draw - 1)).toISOString().slice(0, 10).replaceAll('-', '');
      const named = Object.fromEntries(numbers.map((number, at) => [`tm${at + 1}WnNo`, number]));
      rows.set(draw, { ...sample, ...named, ltEpsd: draw, ltRflYmd: date, bnsWnNo: bonus });
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
