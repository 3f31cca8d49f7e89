/** A real Chromium, and pages that tell when something goes wrong in them. */

import assert from 'node:assert/strict';
import { access, readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { openHouse, PATIENCE_MS } from './house.js';

export { until } from './house.js';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const SWITCHES = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * What the sections of the household app declare: the addresses of each, its own first, how many cards it has on Today, and
 * the sentences for what the palette finds of it.
 */
export const SECTIONS = await declared(new URL('../../assets/ops/src/pages/', import.meta.url).pathname);

/** Every page of the household app. */
export const PAGES = SECTIONS.flatMap(({ pages }) => pages);

/** The pages to look at: all, or those that `LOOK_AT` names, where the others have been looked at in another house. */
export const LOOKED_AT = process.env['LOOK_AT']?.split(' ') ?? PAGES;

async function declared(folder) {
  const files = (await readdir(folder, { recursive: true })).filter((name) => basename(name) === 'section.ts').sort();
  return Promise.all(files.map(async (name) => {
    const text = await readFile(join(folder, name), 'utf8');
    const today = await readFile(join(folder, dirname(name), 'today.ts'), 'utf8').catch(() => '');
    const searches = ['offers.ts', 'search.svelte.ts'].map((file) => readFile(join(folder, dirname(name), file), 'utf8').catch(() => ''));
    const finds = [...(await Promise.all(searches)).join('').matchAll(/\bexample: '([^']+)'/g)].map(([, key]) => key);
    const [own, ...inner] = [...text.matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path);
    return { pages: [own, ...inner.filter((path) => !path.includes(':')).map((path) => own + path)], cards: today.match(/\bcard: \(\) => import\(/g)?.length ?? 0, finds };
  }));
}

export async function openBrowser() {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: await installed(), args: [...SWITCHES, ...asRoot] });
}

/** The machine's own Chromium, or the one that `tests/run` fetched where there was none. */
async function installed() {
  for (const place of PLACES) {
    if (await access(place).then(() => true, () => false)) return place;
  }
  const { default: packed } = await import('@sparticuz/chromium');
  return packed.executablePath();
}

/**
 * A new visitor, gone with the test `t`: `theme` light or dark, `language` ko or en, a window of `width` by `height` pixels.
 * Only where `keepsShell` says so does the app open without its server: what a service worker asks for no test can hold back.
 * `flaws` fills with what a visitor must never cause, in whichever tab: errors in the page, requests to another host.
 */
export async function newVisitor(t, browser, house, { language = 'ko', theme = 'light', width = 1280, height = 900, keepsShell = false } = {}) {
  const context = await browser.newContext({
    baseURL: house.household,
    locale: language === 'ko' ? 'ko-KR' : 'en-GB',
    timezoneId: 'Asia/Seoul',
    colorScheme: theme,
    viewport: { width, height },
    hasTouch: width < 500,
    reducedMotion: 'reduce',
    serviceWorkers: keepsShell ? 'allow' : 'block',
  });
  t?.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const flaws = [];
  context.on('weberror', (flaw) => flaws.push(`error in ${flaw.page()?.url()}: ${flaw.error().message}`));
  context.on('console', (message) => {
    // A refused request is logged by the browser itself; whether the page copes with it is each test's matter.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      flaws.push(`console of ${message.page()?.url()}: ${message.text()}`);
    }
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== house.household) flaws.push(`asked a third party: ${url}`);
  });
  return { context, page, flaws };
}

/** A house and a browser for every test of a file. */
export async function openBoth() {
  return { house: await openHouse(undefined), browser: await openBrowser() };
}

export async function closeBoth({ house, browser }) {
  await browser?.close();
  await house?.stop();
}

/** Keeps the live events from a page until what is given back is called. */
export async function holdEvents(page) {
  let open;
  const held = new Promise((resolve) => (open = resolve));
  await page.route('**/api/events', async (route) => {
    await held;
    await route.continue();
  });
  return open;
}

/** Opens an address and waits until nothing is being loaded and no skeleton is shown any more. */
export async function visit(page, path) {
  await page.goto(path);
  await page.locator('main h1').first().waitFor();
  await settled(page);
}

/** Waits for what comes after the page, when the browser has nothing else to do: messages, banners, marks. */
export async function whole(page) {
  await page.locator('.toasts').waitFor({ state: 'attached' });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** In a page: the browser never has time for what nobody waits for, and does what must be done by a time no sooner. */
export function neverIdle() {
  window.requestIdleCallback = (work, { timeout } = {}) => (timeout === undefined ? 0 : setTimeout(work, timeout));
}

export async function settled(page) {
  await page.waitForFunction(() => !document.querySelector('main .skeleton, main [aria-busy="true"]'));
}

/** The name under which the focused element is known to assistive technology, near enough: its label or its text. */
export function focused(page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    const label = element?.labels?.[0];
    const words = label?.querySelector('span')?.textContent ?? label?.textContent;
    return (element?.getAttribute('aria-label') ?? words ?? element?.textContent ?? '').trim();
  });
}

/** Presses Tab until the element of this name has the focus; every stop on the way must be visible. */
export async function tabTo(page, name) {
  for (let step = 0; step < 120; step += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
    const hidden = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return '';
      const box = element.getBoundingClientRect();
      return box.width < 1 || box.height < 1 ? element.outerHTML : '';
    });
    assert.equal(hidden, '', 'the focus is on something that cannot be seen');
  }
  assert.fail(`Tab never reached "${name}"`);
}

/** The accessibility rules of WCAG 2.2 AA that the page breaks, each with the elements. */
export async function violations(page) {
  // Put in through the debugger, so that the page's content security policy stays as it is.
  await page.evaluate(`${AXE}; undefined`);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await page.evaluate((values) => window.axe.run({ runOnly: { type: 'tag', values } }), tags);
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.target} ${node.html.slice(0, 120)}`));
}

/** What makes a page wider than its window: the innermost elements that stick out, unless something around them scrolls. */
export function sticksOut(page) {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const isInside = (element) => element === document.body || getComputedStyle(element).overflowX === 'visible';
    const around = (element) => (element === document.body ? [] : [element.parentElement, ...around(element.parentElement)]);
    // Text that must not wrap sticks out of its element without making it wider.
    const right = (element) => {
      const box = element.getBoundingClientRect();
      return box.left + Math.max(box.width, element.scrollWidth);
    };
    const all = [...document.body.querySelectorAll('*')].filter(
      (element) => right(element) > width + 0.5 && isInside(element) && around(element).every(isInside),
    );
    const innermost = all.filter((element) => !all.some((other) => other !== element && element.contains(other)));
    const found = innermost.map((element) => `${element.outerHTML.slice(0, 160)} by ${right(element) - width} px`);
    return found.length > 0 ? found : ['something'];
  });
}

/** Runs in the page, before it: notes each shift of the layout with what moved; `window.shifts()` gives them. */
export function watchShifts() {
  const shifts = [];
  const note = (entries) => entries.forEach(({ value, sources }) => {
    const moved = sources.map(({ node, previousRect: from, currentRect: to }) => {
      const name = node?.outerHTML?.slice(0, 90) ?? node?.textContent?.slice(0, 90);
      return `${name} from ${[from.x, from.y, from.width, from.height].map(Math.round)} to ${[to.x, to.y, to.width, to.height].map(Math.round)}`;
    });
    shifts.push({ value, moved });
  });
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  window.shifts = () => {
    note(observer.takeRecords());
    return shifts;
  };
}
