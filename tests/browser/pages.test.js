/** Every page, in both themes, both languages and at 360 pixels: readable by everyone, never wider than its window, quick to come. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newVisitor, openBrowser, PAGES, SECTIONS, settled, sticksOut, until, violations, visit } from './browser.js';
import { get, importDraws, openHouse, post, sentences } from './house.js';

/**
 * What a first visit of each page may take over the wire: files, and their compressed bytes. A phone behind a slow uplink
 * waits for the bytes, and HTTP/1.1 asks for six files at a time, so both are kept. The figures are those of 22 November
 * 2026 with room for 1 % more bytes and for no more files: whoever needs more says so here. What the sections declared on
 * that day is in them; what is declared beside it has its allowance (`DECLARED`).
 * The lottery's pages were raised on the day before: they tell more of each draw that was kept aside and of how a set is shared,
 * every page keeps the focus in its lists, and the purchase window comes with each, so that numbers can be typed in while
 * the house cannot be reached. Then all were raised by 1.2 to 1.4 kB: the app says what did not come and starts anew,
 * fetches its windows before they are needed, and takes back each refused change alone. The system page tells of the last
 * migration, each step in a sentence.
 * Then the lottery's were raised by 0.7 to 1 kB: they say more of what is decided, of money and of a set of one's own. The
 * house of these tests has a draw that was kept aside; what decides about it comes only then, with two files and 2.3 kB.
 * Then all were raised by about 4 kB and a file or two: sections stand in groups, with tabs of one's choice and marks; what breaks
 * is said in its place; windows ask before what was typed is thrown away. Each card of Today comes in a file of its own.
 * And all by 4.3 kB: the app opens without its server, hears when it falls silent, shares one stream among its tabs
 * and what was answered among its pages, limits its requests, and keeps what is not saved yet. Todos read more of what is typed
 * and repeat, and tickets and tables are taken in.
 * The page of the settings was raised by 2.6 kB and a file: settings and the passphrase are changed there. Today begins with
 * the first steps of a house, in 1.2 kB. The other pages of the system were raised by 0.7 kB: the palette says more of what it
 * finds.
 * Then the shell grew by 0.6 kB, and every page with it: what was typed is kept apart from what the palette is asked, and what
 * the server says is shown in the reader's language. Today, providers and jobs say so at the first visit: with the server's
 * sentences, a file of 4 kB. Backups takes the house in one file in 0.8 kB.
 * My purchases was raised by 2 kB: it says what was spent this month beside the household's limit, which is set there. The
 * lines of the months come when somebody scrolls to them, and the window for a ticket when nobody waits.
 * Then the shell grew by 0.8 kB: a backup file goes on while other pages are read, a todo on its way can be taken back, and
 * what was last seen is shown as soon as a server that hangs is silent. With it the other pages were raised: the lottery says
 * when draws that could not be fetched were last tried, 3.6 kB; the system and Today count what needs care and say what to do
 * about it, 2.4 to 4 kB and a file of Today; todos say more of what waits to be sent, 2.9 kB.
 * Then the system, Today and the todos were raised by 0.6 to 1.7 kB: the settings file counts in what needs care, signing out
 * names all that would be lost, the palette says whether it could ask, and a day is read whole or not at all.
 * Then all were lowered by 7 to 8 kB: of two libraries and the framework what was never used has gone, and what the windows of
 * the shell say comes with them. What waits to be added comes where something may be added, which is a file more for the todos.
 * Then all were raised by 0.3 to 1 kB: a half-typed purchase is kept aside and offered, ticks are tried again, what was last
 * seen is there at once, and a file that is no backup is called that; at idle 1 kB more, for the good lines of a table.
 * Then those that say what the server says, and the system, were raised by 0.2 to 0.7 kB: mail has its page and its sentences.
 * Then the shell was lowered by 1 kB, and with it all: messages and banners come when the browser has nothing else to do.
 * Then the shell was lowered by 2.6 kB more, what comes before a page with its other parts by 1.3 kB, and most pages by a file
 * or two: what sections offer on every page comes in one file after the first, with the list of windows, what is brought to
 * mind, messages and banners; icons and words that only pages use come with those. In all that is 1.1 kB more than one file
 * was, and the words that are new with it.
 * Then those of the lottery and the system were raised by 0.4 to 2.2 kB: picks that newer draws have overtaken say so, reports and
 * briefings made before can be chosen, large files are counted, the chat stands beside the mail, and what did not come while the
 * house was away is asked for again.
 */
const FIRST_VISIT = {
  '/lottery': [23, 99_300],
  '/lottery/statistics': [22, 93_700],
  '/lottery/performance': [21, 85_500],
  '/lottery/reports': [20, 82_300],
  '/lottery/reports/briefing': [20, 81_100],
  '/lottery/reports/review': [19, 85_200],
  '/lottery/purchases': [22, 95_300],
  '/lottery/simulate': [21, 83_000],
  '/lottery/history': [20, 81_200],
  '/system': [18, 71_600],
  '/system/backups': [18, 74_200],
  '/system/providers': [19, 77_000],
  '/system/jobs': [19, 76_900],
  '/system/mail': [18, 71_000],
  '/system/settings': [18, 72_500],
  '/': [27, 85_300],
  '/todos': [16, 81_300],
};
/**
 * What a section, a page and a card take by being declared. The shell, which comes before every page, knows each section by
 * its icon and its keys, and each page by the files that come with it (`shell.test.js` builds it with thirteen). Today shows
 * each card, which comes in a file of its own.
 */
const DECLARED = {
  sections: { then: 4, bytes: 120 },
  pages: { then: 17, bytes: 45 },
  cards: { then: 4, files: 1, bytes: 2_000 },
};
/** What the scripts and styles of the shell may take; the sentences of one language come on top. */
const MOST_OF_SHELL = 36_700;
/** The same however many sections there are. */
const MOST_OF_ANY_SHELL = 40_000;
/** What any page may take, whatever is said above, and however many sections there are. */
const MOST_OF_ANY = 100_000;
/** The same with what comes when the browser has nothing else to do: windows and the palette, before somebody wants them. */
const MOST_WHEN_IDLE = 126_900;
/** A page that is new. */
const FIRST_VISIT_OF_ANOTHER = [18, 64_500];

let house;
let browser;

before(async () => {
  house = await openHouse(undefined);
  browser = await openBrowser();
  await furnish();
});

after(async () => {
  await browser?.close();
  await house?.stop();
});

/** What is declared beside what was on the day of the figures. */
const more = {
  sections: SECTIONS.length - DECLARED.sections.then,
  pages: PAGES.length - DECLARED.pages.then,
  cards: SECTIONS.reduce((sum, { cards }) => sum + cards, 0) - DECLARED.cards.then,
};
const moreOfShell = more.sections * DECLARED.sections.bytes + more.pages * DECLARED.pages.bytes;

/** What a first visit of this page may take. */
function mostOf(path) {
  const [files, bytes] = FIRST_VISIT[path] ?? FIRST_VISIT_OF_ANOTHER;
  const cards = path === '/' ? more.cards : 0;
  return [files + cards * DECLARED.cards.files, Math.min(bytes + moreOfShell + cards * DECLARED.cards.bytes, MOST_OF_ANY)];
}

/** Something to see on each page. */
async function furnish() {
  await post(house, '/api/todos', { title: '베란다 화분에 물 주기', due: '2026-10-12', note: '작은 것부터' });
  await post(house, '/api/todos', { title: 'A title of many words that goes on until it must wrap at the end of a narrow line' });
  await post(house, '/api/lotto/purchase', { draw_no: 1245, sets: [[4, 5, 25, 28, 32, 42], [1, 2, 3, 4, 5, 6]], note: '동네' });
  await post(house, '/api/lotto/purchase', { draw_no: 1245, count: 5, prize: 5000 });
  await post(house, '/api/admin/simulate?n_candidates=2000&seed=1');
  await post(house, '/api/lotto/report');
  await post(house, '/api/lotto/briefing');
  await post(house, '/api/system/backups');
  for (const path of ['/api/lotto/recommend?recent_window=50&recent_weight=0.5&avoid_recent_k=3', '/api/lotto/recommend/combined']) {
    await get(house, path);
  }
  // A draw that contradicts the stored one, and one that gave way.
  const { draws } = await get(house, '/api/lotto/draws?limit=30');
  const [aside, corrected] = [1240, 1244].map((draw_no) => draws.find((draw) => draw.draw_no === draw_no));
  await importDraws(house, [{ ...aside, numbers: [1, 2, 3, 4, 5, 6], bonus: 7 }, { ...corrected, bonus: 45 }]);
  await post(house, '/api/lotto/draws/1244/accept');
}

/** Opens a page with everything on it that can be opened or asked for. */
async function visitOpened(page, path) {
  await visit(page, path);
  if (path === '/lottery') await page.locator('main [id^="kept-"]').first().waitFor();
  if (path === '/lottery/statistics') {
    await page.locator('main form input').last().fill('7 14 21 28 35 42');
    await page.locator('main form input').last().press('Enter');
    await page.locator('main [aria-live] .balls').waitFor();
  }
  await page.evaluate(() => document.querySelectorAll('main details').forEach((details) => (details.open = true)));
  await settled(page);
}

for (const theme of ['light', 'dark']) {
  for (const width of [1280, 360]) {
    test(`every page is accessible in the ${theme} theme at ${width} pixels`, async (t) => {
      const { page, flaws } = await newVisitor(t, browser, house, { theme, width });
      const found = [];
      for (const path of PAGES) {
        await visitOpened(page, path);
        found.push(...(await violations(page)).map((violation) => `${path}: ${violation}`));
      }
      assert.deepEqual(found, []);
      assert.deepEqual(flaws, []);
    });
  }
}

for (const language of ['ko', 'en']) {
  test(`no page is wider than 360 pixels in ${language}`, async (t) => {
    const { page, flaws } = await newVisitor(t, browser, house, { language, width: 360, height: 740 });
    const wider = [];
    for (const path of PAGES) {
      await visitOpened(page, path);
      wider.push(...(await sticksOut(page)).map((element) => `${path}: ${element}`));
    }
    assert.deepEqual(wider, []);
    assert.deepEqual(flaws, []);
  });

  test(`every page speaks ${language}`, async (t) => {
    const say = await sentences(language);
    const { page } = await newVisitor(t, browser, house, { language });
    for (const path of PAGES) {
      await visitOpened(page, path);
      assert.equal(await page.locator('html').getAttribute('lang'), language, path);
      const text = await page.locator('body').innerText();
      assert.doesNotMatch(text, /\{\w+\}|undefined|NaN|\[object/, path);
      assert.ok(text.includes(say('lottery', 'name')), `${path}: the navigation does not speak ${language}`);
      if (language === 'en') assert.doesNotMatch(withoutData(text), /[가-힣]{2,}/, `${path} shows Korean`);
    }
  });
}

/** What the household typed itself stays as it was typed. */
function withoutData(text) {
  return text.replaceAll('베란다 화분에 물 주기', '').replaceAll('작은 것부터', '').replaceAll('동네', '').replaceAll('한국어', '');
}

/** Weighs what a page asks for, but for what the server answers. */
function weigh(page) {
  const sizes = [];
  let underWay = 0;
  const isFile = (request) => !new URL(request.url()).pathname.startsWith('/api/');
  const listeners = {
    request: (request) => (underWay += Number(isFile(request))),
    requestfailed: (request) => (underWay -= Number(isFile(request))),
    requestfinished: (request) => {
      if (!isFile(request)) return;
      underWay -= 1;
      sizes.push(request.sizes());
    },
  };
  Object.entries(listeners).forEach(([name, listener]) => page.on(name, listener));
  return {
    hasAll: () => underWay === 0,
    stop: () => Object.entries(listeners).forEach(([name, listener]) => page.off(name, listener)),
    async weighed() {
      const bytes = (await Promise.all(sizes)).map(({ responseBodySize }) => responseBodySize);
      return { files: bytes.length, bytes: bytes.reduce((sum, size) => sum + size, 0) };
    },
  };
}

/** Lets the page do what it has put off, in the page. Whether there was nothing, also two frames later. */
async function becomesIdle() {
  const put = window.whenIdle.splice(0);
  put.forEach((work) => work({ didTimeout: false, timeRemaining: () => 50 }));
  for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
  return put.length === 0 && window.whenIdle.length === 0;
}

test('a first visit of every page stays within its files and bytes', async (t) => {
  const over = [];
  for (const path of PAGES) {
    const { context, page } = await newVisitor(undefined, browser, house);
    // Nobody waits for what comes when the browser has nothing else to do.
    await page.addInitScript(() => {
      window.whenIdle = [];
      window.requestIdleCallback = (work) => window.whenIdle.push(work);
    });
    const { weighed, hasAll, stop } = weigh(page);
    await visit(page, path);
    // What comes after the page counts, too.
    await page.locator('.toasts').waitFor({ state: 'attached' });
    await until(hasAll);
    const { files, bytes } = await weighed();
    const [mostFiles, mostBytes] = mostOf(path);
    if (files > mostFiles || bytes > mostBytes) over.push(`${path}: ${files} files of ${mostFiles}, ${bytes} bytes of ${mostBytes}`);
    await until(async () => (await page.evaluate(becomesIdle)) && hasAll());
    const idle = await weighed();
    // What ends while the page is closed cannot be weighed any more.
    stop();
    await context.close();
    if (idle.bytes > MOST_WHEN_IDLE) over.push(`${path}: ${idle.bytes} bytes of ${MOST_WHEN_IDLE} with what comes at idle`);
    t.diagnostic(`${path}: ${files} files, ${bytes} bytes; with what comes at idle ${idle.files} files, ${idle.bytes} bytes`);
  }
  assert.deepEqual(over, []);
});

test('what stands before the first page stays small, whatever sections there are', async (t) => {
  const html = await (await fetch(house.household)).text();
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file);
  const sizes = await Promise.all(files.map(async (file) => {
    const response = await fetch(house.household + file, { headers: { 'accept-encoding': 'br' } });
    return Number(response.headers.get('content-length'));
  }));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  t.diagnostic(`${files.join(', ')}: ${total} bytes`);
  assert.ok(files.length > 1 && sizes.every((size) => size > 0));
  const most = Math.min(MOST_OF_SHELL + moreOfShell, MOST_OF_ANY_SHELL);
  assert.ok(total < most, `${total} bytes of ${most}`);
});

describe('the language', () => {
  test('can be switched by hand and stays', async (t) => {
    const { page } = await newVisitor(t, browser, house, { language: 'ko' });
    await visit(page, '/');
    const [ko, en] = [await sentences('ko'), await sentences('en')];
    await page.keyboard.press('Control+k');
    // Pages, and what each section can find, once.
    const found = new Set(['shell.palette.example', ...SECTIONS.flatMap(({ finds }) => finds)].map((key) => {
      const [area, ...rest] = key.split('.');
      return ko(area, rest.join('.'));
    }));
    const said = await page.getByRole('combobox').getAttribute('placeholder');
    assert.deepEqual(said.split(', ').toSorted(), [...found].toSorted());
    await page.getByRole('combobox').fill('English');
    await page.getByRole('option', { name: ko('shell', 'action.language') }).click();
    await page.getByRole('link', { name: en('todos', 'name') }).first().waitFor();
    await page.reload();
    await settled(page);
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  });
});
