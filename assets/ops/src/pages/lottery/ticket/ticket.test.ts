import { describe, expect, test } from 'vitest';
import encode from 'qr';
import decode from 'qr/decode.js';
import { readTicket, type NoTicket } from './ticket';

const VALUE = '1246q010715243345m020816253444n000000000000n000000000000n000000000000';
const OWN = '1288760331';
const GAMES = [{ mark: 'auto', numbers: [1, 7, 15, 24, 33, 45] }, { mark: 'manual', numbers: [2, 8, 16, 25, 34, 44] }];

/** A picture of the code as a camera gives it: each module some pixels wide, with a quiet edge, turned by quarters. */
function picture(text: string, scale: number, quarters: number) {
  const modules = encode(text, 'raw', { border: 4 });
  const side = modules.length * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      let [mx, my] = [Math.floor(x / scale), Math.floor(y / scale)];
      for (let turn = 0; turn < quarters; turn += 1) [mx, my] = [my, modules.length - 1 - mx];
      if (modules[my]?.[mx]) data.set([20, 20, 30], (y * side + x) * 4);
    }
  }
  return { width: side, height: side, data };
}

describe('the code of a ticket', () => {
  test.each([
    `http://m.dhlottery.co.kr/?v=${VALUE}${OWN}`,
    `http://qr.dhlottery.co.kr/?v=${VALUE}${OWN}`,
    `https://m.dhlottery.co.kr/qr.do?method=winQr&v=${VALUE}${OWN}`,
    `https://www.dhlottery.co.kr/?v=${VALUE}${OWN}\ufeff`,
    `https://m.dhlottery.co.kr/?method=winQr&v=${VALUE}${OWN}%EF%BB%BF`,
  ])('%s', (code) => {
    expect(readTicket(code)).toEqual({ draw_no: 1246, games: GAMES, ticket: `1246-${OWN}` });
  });

  test('may have a longer number of its own, or none', () => {
    const at = (own: string) => readTicket(`http://qr.dhlottery.co.kr/?v=${VALUE}${own}`);
    expect(at('122230566614190050')).toMatchObject({ ticket: '1246-122230566614190050' });
    expect(at('')).toMatchObject({ draw_no: 1246, ticket: undefined });
  });

  test.each<[string, NoTicket]>([
    ['hello', 'foreign'],
    [`https://dhlottery.co.kr.evil.example/?v=${VALUE}${OWN}`, 'foreign'],
    [`https://m.dhlottery.co.kr:8080/?v=${VALUE}${OWN}`, 'foreign'],
    [`https://user@m.dhlottery.co.kr/?v=${VALUE}${OWN}`, 'foreign'],
    [`javascript:alert('http://m.dhlottery.co.kr/?v=${VALUE}')`, 'foreign'],
    [`https://m.dhlottery.co.kr/?v=${VALUE}&v=${VALUE}`, 'foreign'],
    ['http://qr.dhlottery.co.kr/?v=pd1202701s890966', 'other_game'],
    ['http://m.dhlottery.co.kr/?v=', 'broken'],
    [`http://m.dhlottery.co.kr/?v=${VALUE}123`, 'broken'],
    ['http://m.dhlottery.co.kr/?v=1246q0107152433', 'broken'],
    [`http://m.dhlottery.co.kr/?v=1246q010715243346${OWN}`, 'broken'],
    [`http://m.dhlottery.co.kr/?v=1246q010101243345${OWN}`, 'broken'],
    [`http://m.dhlottery.co.kr/?v=0000q010715243345${OWN}`, 'broken'],
    [`http://m.dhlottery.co.kr/?v=1246n000000000000${OWN}`, 'broken'],
    [`http://m.dhlottery.co.kr/?v=1246n010715243345${OWN}`, 'broken'],
    [`http://m.dhlottery.co.kr/?v=1246${'q010715243345'.repeat(6)}${OWN}`, 'broken'],
  ])('is none: %s', (code, why) => expect(readTicket(code)).toBe(why));

  test.each([[3, 0], [6, 1], [9, 2], [5, 3]])('is found in a picture, %i pixels a module and %i quarters turned', (scale, quarters) => {
    const code = `http://qr.dhlottery.co.kr/?v=${VALUE}${OWN}`;
    expect(decode(picture(code, scale, quarters))).toBe(code);
  });
});
