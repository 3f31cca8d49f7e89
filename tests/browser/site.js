/** Visitors of the customer site, what every page of it must be to them, and the mails that they get. */

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newVisitor, sticksOut, until, violations, watchShifts } from './browser.js';

/** Both languages, both themes, a phone and a desktop. */
export const VISITORS = [
  { language: 'ko', theme: 'light', width: 360, height: 740 },
  { language: 'en', theme: 'dark', width: 360, height: 740 },
  { language: 'ko', theme: 'dark', width: 1280, height: 900 },
  { language: 'en', theme: 'light', width: 1280, height: 900 },
];

/** Two who have nothing in common, where four would take long. */
export const OPPOSITES = [VISITORS[1], { ...VISITORS[2], theme: 'light' }];

export const PASSWORD = '달빛 아래 호랑이 열두 마리';

export const prefix = (language) => (language === 'en' ? '/en' : '');

/** A visitor of the customer site. */
export async function visitor(t, browser, house, how) {
  const come = await newVisitor(t, browser, { household: house.customers }, how);
  await come.page.addInitScript(watchShifts);
  return come;
}

export async function looksRight(page, name) {
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/site-${name}.png`, fullPage: true });
  assert.deepEqual([await violations(page), await sticksOut(page), await cutWords(page)], [[], [], []], name);
}

/** Words of labels beside long values that are cut in two. */
function cutWords(page) {
  return page.evaluate(() => [...document.querySelectorAll('dt')].flatMap(({ firstChild: text }) => {
    const isCut = ({ index, 0: word }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return range.getClientRects().length > 1;
    };
    return [...text.data.matchAll(/\S+/g)].filter(isCut).map(([word]) => word);
  }));
}

/** Nothing has moved since the page was opened, before anybody touched it. */
export async function isAtRest(page, name) {
  assert.deepEqual(await page.evaluate(() => window.shifts()), [], name);
}

/** What the mails of the house say, in no order, however their parts are written. */
export async function mails(house) {
  const folder = join(house.data, 'mail');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'));
  return Promise.all(names.map(async (name) => textOf(await readFile(join(folder, name), 'utf8'))));
}

/** What a mail says, however its parts are written. */
export function textOf(mail) {
  const coded = [...mail.matchAll(/base64\r\n\r\n([\w+/=\r\n]+)/g)].map(([, part]) => Buffer.from(part, 'base64').toString());
  return [mail.replaceAll('=\r\n', '').replaceAll('=3D', '='), ...coded].join('\n');
}

/** Where the mail leads that a customer sets a password by. */
export async function passwordLink(house) {
  const link = /\/(?:en\/)?account\/password\?token=[\w.-]+/;
  return until(async () => (await mails(house)).map((mail) => link.exec(mail)?.[0]).find(Boolean));
}
