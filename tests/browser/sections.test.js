/** An app with nine sections more, made up for this test: all of them in reach on a small phone and on a low desktop. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildApp, section, showApp } from './app.js';
import { focused, newVisitor, openBrowser, SECTIONS, sticksOut, tabTo, violations, visit } from './browser.js';
import { openHouse, sentences } from './house.js';

/** Nouns that no section of a household will have. */
const MADE_UP = [
  ['mint', 'money', '조폐'], ['caravan', 'money', '대상'], ['harbour', 'money', '항구'], ['quarry', 'money', '채석장'],
  ['beehives', 'everyday', '벌통'], ['organ', 'work', '풍금'], ['gazette', 'work', '관보'], ['foundry', 'work', '주조'], ['lighthouse', 'work', '등대지기'],
];
const COUNT = MADE_UP.length + SECTIONS.length;

let house;
let browser;
let app;
let say;

before(async (t) => {
  house = await openHouse(undefined);
  browser = await openBrowser();
  say = await sentences('ko');
  const files = MADE_UP.map(([room, group, name], index) => section(room, { name, group, order: 30 + index, keys: `g ${index}` }));
  app = await buildApp(t, Object.assign({}, ...files));
});

after(async () => {
  await browser?.close();
  await house?.stop();
});

async function visitor(t, options) {
  const opened = await newVisitor(t, browser, house, options);
  await showApp(opened.context, app);
  return opened;
}

/** Named after what it shows, where pictures are wanted. */
async function picture(page, name) {
  if (process.env['PICTURES']) await page.screenshot({ path: join(process.env['PICTURES'], `${name}.png`) });
}

/** Elements that are pressed, smaller than a finger wants them. */
async function small(locator) {
  const boxes = await locator.evaluateAll((all) => all.map((one) => ({ text: one.textContent, width: one.offsetWidth, height: one.offsetHeight })));
  assert.ok(boxes.length > 0);
  return boxes.filter(({ width, height }) => width < 44 || height < 44);
}

for (const theme of ['light', 'dark']) {
  test(`a phone of 360 by 640 pixels has four tabs and the way to the rest, in the ${theme} theme`, async (t) => {
    const { page, flaws } = await visitor(t, { width: 360, height: 640, theme });
    await visit(page, '/');
    const tabs = page.getByRole('navigation').locator('a:visible, button:visible');
    assert.equal(await tabs.count(), 5);
    assert.deepEqual(await small(tabs), []);
    await picture(page, `tabs-${theme}`);

    await tabs.last().click();
    const sheet = page.getByRole('dialog', { name: say('shell', 'more.title') });
    await sheet.getByRole('link').first().waitFor();
    assert.equal(await sheet.getByRole('link').count(), COUNT);
    assert.deepEqual(await sheet.getByRole('heading', { level: 3 }).allInnerTexts(), ['money', 'everyday', 'work'].map((group) => say('shell', `group.${group}`)));
    assert.deepEqual(await small(sheet.locator('a, button')), []);
    assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
    await picture(page, `more-${theme}`);

    await sheet.getByRole('link', { name: '등대지기' }).click();
    await page.getByRole('heading', { name: '등대지기', level: 1 }).waitFor();
    await sheet.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.matches('main'));
    assert.deepEqual(flaws, []);
  });
}

test('the household chooses the four tabs of a phone, and they stay', async (t) => {
  const { page, flaws } = await visitor(t, { width: 360, height: 640 });
  await visit(page, '/');
  const bar = page.getByRole('navigation').getByRole('link');
  const before = await bar.allInnerTexts();
  await page.getByRole('button', { name: say('shell', 'more'), exact: true }).click();
  await page.getByRole('button', { name: say('shell', 'more.choose') }).click();
  const box = (name) => page.getByRole('dialog').getByRole('checkbox', { name, exact: true });
  assert.equal(await box('풍금').isDisabled(), true);
  await box(before[1]).uncheck();
  await box('풍금').check();
  assert.equal(await box('관보').isDisabled(), true);
  assert.deepEqual([await violations(page), await small(page.getByRole('dialog').locator('label'))], [[], []]);
  await picture(page, 'choosing');
  await page.keyboard.press('Escape');
  const chosen = [...before.filter((_, index) => index !== 1), '풍금'];
  assert.deepEqual(await bar.allInnerTexts(), chosen);
  await page.reload();
  await bar.filter({ hasText: '풍금' }).waitFor();
  assert.deepEqual(await bar.allInnerTexts(), chosen);
  assert.deepEqual(flaws, []);
});

test('the rail of a desktop of 650 pixels scrolls by itself, and the system stays in reach', async (t) => {
  const { page, flaws } = await visitor(t, { width: 1280, height: 650 });
  await visit(page, '/');
  const nav = page.getByRole('navigation', { name: say('shell', 'menu') });
  assert.equal(await nav.locator('a[href]:visible:not(.brand)').count(), COUNT);
  await picture(page, 'rail');
  const system = nav.getByRole('link', { name: say('system', 'name') });
  const isInView = (link) => link.evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    const below = document.elementFromPoint(one.getBoundingClientRect().left + 20, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && one.contains(below);
  });
  assert.equal(await isInView(system), true);
  await nav.getByRole('link', { name: '등대지기' }).click();
  await page.getByRole('heading', { name: '등대지기', level: 1 }).waitFor();
  assert.equal(await isInView(system), true);
  assert.equal(await isInView(nav.getByRole('link', { name: '등대지기' })), true);
  assert.equal(await page.evaluate(() => scrollY), 0);

  await page.goto('/lighthouse');
  await page.getByRole('heading', { name: '등대지기', level: 1 }).waitFor();
  assert.equal(await isInView(nav.getByRole('link', { name: '등대지기' })), true);
  assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
  assert.deepEqual(flaws, []);
});

test('a group of the rail folds from the keyboard and stays folded; the page that is shown keeps its entry', async (t) => {
  const { page, flaws } = await visitor(t, { width: 1280, height: 650 });
  await visit(page, '/');
  const nav = page.getByRole('navigation', { name: say('shell', 'menu') });
  await tabTo(page, say('shell', 'group.money'));
  await page.keyboard.press('Enter');
  assert.equal(await nav.getByRole('link', { name: '조폐' }).count(), 0);
  assert.equal(await focused(page), say('shell', 'group.money'));
  await page.reload();
  const group = nav.getByRole('button', { name: say('shell', 'group.money') });
  await group.waitFor();
  assert.equal(await group.getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('g');
  await page.keyboard.press('0');
  await nav.getByRole('link', { name: '조폐' }).waitFor();
  assert.equal(await nav.getByRole('link', { name: '대상' }).count(), 0);
  await picture(page, 'folded');
  await group.click();
  await nav.getByRole('link', { name: '대상' }).waitFor();
  assert.deepEqual(flaws, []);
});

test('an entry tells how much waits in its section, and changes with it', async (t) => {
  const { page, flaws } = await visitor(t, { width: 1280, height: 900 });
  const post = async (title) => {
    const answer = await fetch(`${house.household}/api/todos`, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title, due: '2026-10-01' }),
    });
    assert.equal(answer.status, 201);
  };
  await Promise.all([page.waitForResponse('**/api/events'), visit(page, '/lottery')]);
  const entry = page.getByRole('navigation', { name: say('shell', 'menu') }).getByRole('link', { name: say('todos', 'name') });
  assert.equal(await entry.locator('em').count(), 0);
  await post('하나');
  await entry.getByText(say('todos', 'badge', { count: 1 })).waitFor();
  await post('둘');
  await entry.getByText(say('todos', 'badge', { count: 2 })).waitFor();
  await picture(page, 'badge');
  assert.deepEqual(flaws, []);
});

for (const language of ['ko', 'en']) {
  test(`the palette of a phone finds where its tabs are chosen, in either language (${language})`, async (t) => {
    const { page, flaws } = await visitor(t, { width: 360, height: 640, language });
    const told = await sentences(language);
    for (const word of ['탭', 'tabs']) {
      await visit(page, '/');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: told('shell', 'palette.title') }).fill(word);
      await page.getByRole('option', { name: told('shell', 'more.choose') }).click();
      await page.getByRole('dialog', { name: told('shell', 'more.title') }).getByRole('button', { name: told('shell', 'more.choose') }).waitFor();
    }
    assert.deepEqual(flaws, []);
  });
}

test('every tab is a page with a title of its own, which a reload and the back button keep and the palette finds', async (t) => {
  const { page, flaws } = await visitor(t, {});
  const titles = new Map();
  for (const [path, strip] of [['/system', say('system', 'tab.label')], ['/lottery', say('lottery', 'title')], ['/lottery/reports', say('lottery', 'page.reports')]]) {
    await visit(page, path);
    const tabs = page.getByRole('navigation', { name: strip }).getByRole('link');
    for (let index = 1; index < (await tabs.count()); index += 1) {
      await visit(page, path);
      const before = await page.title();
      await tabs.nth(index).click();
      const href = await tabs.nth(index).getAttribute('href');
      await page.waitForURL(`**${href}`);
      await page.waitForFunction((title) => document.title !== title, before);
      titles.set(href, await page.title());
      if (path === '/system') await page.getByRole('heading', { level: 1, name: await tabs.nth(index).innerText(), exact: true }).waitFor();
      await page.reload();
      await tabs.nth(index).and(page.locator('[aria-current="page"]')).waitFor();
      assert.equal(await page.title(), titles.get(href));
      await page.goBack();
      await page.waitForFunction((title) => document.title === title, before);
      assert.equal(await tabs.first().getAttribute('aria-current'), 'page');
    }
  }
  assert.equal(titles.size, 5 + 6 + 2);
  assert.equal(new Set(titles.values()).size, titles.size);

  for (const path of ['/system/backups', '/lottery/reports/review']) {
    const name = titles.get(path).replace(' · hanok', '');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill(name);
    await page.getByRole('option', { name }).first().click();
    await page.waitForURL(`**${path}`);
  }
  assert.deepEqual(flaws, []);
});
