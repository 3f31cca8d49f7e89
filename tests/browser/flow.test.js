/** What a hand on the keyboard or the mouse expects: the focus where the work is, and nothing typed that goes. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildApp, section, showApp } from './app.js';
import { focused, newVisitor, openBrowser, PAGES, sticksOut, tabTo, violations, visit } from './browser.js';
import { openHouse, sentences } from './house.js';

let house;
let browser;
let say;

before(async () => {
  house = await openHouse(undefined);
  browser = await openBrowser();
  say = await sentences('ko');
});

after(async () => {
  await browser?.close();
  await house?.stop();
});

/** Waits until the page has no more to do with the focus: its files have come, and the browser has drawn twice. */
async function atRest(page) {
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

const WAYS = {
  n: (page) => page.keyboard.press('n'),
  palette: async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: say('shell', 'palette.title') }).fill(say('todos', 'action.add'));
    await page.keyboard.press('Enter');
  },
  'palette with the mouse': async (page) => {
    await page.getByRole('button', { name: say('shell', 'palette.title') }).click();
    await page.getByRole('combobox', { name: say('shell', 'palette.title') }).fill(say('todos', 'action.add'));
    await page.getByRole('option', { name: say('todos', 'action.add') }).click();
  },
  add: (page) => page.getByRole('link', { name: say('todos', 'today.add'), exact: true }).click(),
};

test('every way to add a todo ends in the line, from every page, at the first visit and later', async (t) => {
  const lost = [];
  for (const from of ['/', '/lottery', '/system/backups', '/todos']) {
    for (const [way, go] of Object.entries(WAYS)) {
      if (way === 'add' && from !== '/') continue;
      const { context, page } = await newVisitor(undefined, browser, house);
      t.after(() => context.close());
      for (const time of ['first', 'again']) {
        if (time === 'first') await visit(page, from);
        else if (from !== '/todos') await Promise.all([page.waitForURL(`**${from}`), page.goBack()]);
        await atRest(page);
        await go(page);
        await page.waitForURL('**/todos');
        await page.getByRole('textbox', { name: say('todos', 'add'), exact: true }).waitFor();
        await atRest(page);
        await page.keyboard.type('x');
        const typed = await page.getByRole('textbox', { name: say('todos', 'add'), exact: true }).inputValue();
        if (typed !== 'x') lost.push(`${way} from ${from}, ${time}: ${await page.evaluate(() => document.activeElement.outerHTML.slice(0, 80))}`);
        await page.getByRole('textbox', { name: say('todos', 'add'), exact: true }).fill('');
        await page.evaluate(() => document.activeElement.blur());
      }
    }
  }
  assert.deepEqual(lost, []);
});

test('the first Tab on every page leads to the link past the navigation', async (t) => {
  const { page } = await newVisitor(t, browser, house, { width: 360 });
  for (const path of PAGES) {
    await visit(page, path);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), say('shell', 'skip'), path);
  }
});

test('Escape and a press beside a window ask before what was typed is thrown away', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/lottery/purchases');
  const dialog = page.getByRole('dialog', { name: say('lottery', 'purchase.new') });
  const open = () => page.getByRole('button', { name: say('lottery', 'purchase.add'), exact: true }).first().click();
  await open();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await open();
  const numbers = dialog.getByLabel(say('lottery', 'purchase.numbers'));
  await numbers.fill('3 9 17 25 33 41');
  const stay = dialog.getByRole('button', { name: say('shell', 'unsaved.stay') });
  for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5), () => dialog.getByRole('button', { name: say('shell', 'close') }).click()]) {
    await leave();
    await stay.waitFor();
    assert.equal(await focused(page), say('shell', 'unsaved.stay'));
    assert.deepEqual(await violations(page), []);
    await stay.click();
    assert.equal(await focused(page), await numbers.evaluate((field) => field.labels[0].textContent.trim()));
  }
  // However often, also where the browser does not ask.
  for (let time = 0; time < 4; time += 1) await page.keyboard.press('Escape');
  for (const close of ['requestClose', 'close']) {
    await page.locator('dialog[open]').evaluate((dialog, how) => dialog[how](), close);
    await stay.waitFor();
  }
  assert.equal(await numbers.inputValue(), '3 9 17 25 33 41');
  await dialog.getByRole('button', { name: say('shell', 'unsaved.discard') }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(flaws, []);
});

test('Escape leaves what was changed of a todo in its fields', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  await addTodo('고치는 일');
  await visit(page, '/todos');
  const edit = () => page.getByRole('button', { name: say('todos', 'edit_of', { title: '고치는 일' }) }).click();
  const title = page.getByLabel(say('todos', 'field.title'), { exact: true });
  await edit();
  await title.press('Escape');
  await title.waitFor({ state: 'detached' });
  await edit();
  await title.fill('고치던 일');
  await title.press('Escape');
  await title.press('Escape');
  assert.equal(await title.inputValue(), '고치던 일');
  await page.getByText(say('todos', 'unsaved')).waitFor();
  assert.deepEqual(flaws, []);
});

test('taking back a deletion leaves the focus where it was, from the keyboard and with the mouse', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  for (const title of ['지울 일 하나', '지울 일 둘', '지울 일 셋']) await addTodo(title);
  await visit(page, '/todos');
  const remove = page.getByRole('button', { name: say('todos', 'delete_of', { title: '지울 일 둘' }) });
  const undo = page.getByRole('button', { name: say('shell', 'undo'), exact: true });
  const isInList = () => document.activeElement?.closest('[data-todo]') !== null;
  await remove.click();
  await undo.click();
  await remove.waitFor();
  await page.waitForFunction(isInList);
  await remove.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(isInList);
  await tabTo(page, say('shell', 'undo'));
  await page.keyboard.press('Enter');
  await remove.waitFor();
  await page.waitForFunction(() => document.activeElement?.matches('main, main *'));
  assert.deepEqual(flaws, []);
});

test('a button that is busy keeps the focus, shows it, and a second press does nothing', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/system/backups');
  let sent = 0;
  let answer;
  const held = new Promise((resolve) => (answer = resolve));
  await page.route('**/api/system/backups', async (route) => {
    if (route.request().method() === 'POST') {
      sent += 1;
      await held;
    }
    await route.continue();
  });
  const make = page.getByRole('button', { name: say('system', 'backup.make') });
  await make.focus();
  await page.keyboard.press('Enter');
  await make.and(page.locator('[aria-busy="true"]')).waitFor();
  await page.keyboard.press('Enter');
  assert.equal(await focused(page), say('system', 'backup.make'));
  assert.deepEqual(await violations(page), []);
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/busy.png` });
  answer();
  await make.and(page.locator('[aria-busy="false"]')).waitFor();
  assert.equal(await focused(page), say('system', 'backup.make'));
  assert.equal(sent, 1);
  assert.deepEqual(flaws, []);
});

test('what plays stands above the tabs and under the toasts, and goes on while pages change', async (t) => {
  const app = await buildApp(t, {
    ...section('organ', { name: '풍금', order: 60, keys: 'g 0' }),
    'pages/organ/offers.ts': `import { playing } from './playing.svelte';
      export default { player: { shown: () => playing.on, load: () => import('./Player.svelte') } };`,
    'pages/organ/playing.svelte.ts': 'export const playing = $state({ on: false });',
    'pages/organ/Page.svelte': "<script lang=\"ts\">import { playing } from './playing.svelte';</script><h1>풍금</h1><button onclick={() => (playing.on = !playing.on)}>play</button>",
    'pages/organ/Player.svelte': '<p>playing</p>',
  });
  for (const [width, height] of [[360, 640], [1280, 650]]) {
    const { context, page, flaws } = await newVisitor(t, browser, house, { width, height });
    await showApp(context, app);
    await visit(page, '/organ');
    await page.getByRole('button', { name: 'play' }).click();
    const player = page.getByRole('region', { name: '풍금' });
    await player.getByText('playing').waitFor();
    await player.evaluate((element) => (element.dataset.same = 'yes'));
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.getByRole('heading', { name: say('todos', 'title'), level: 1 }).waitFor();
    assert.equal(await player.getAttribute('data-same'), 'yes');
    await page.getByRole('button', { name: say('todos', 'delete_of', { title: '지울 일 셋' }) }).click();
    await page.getByRole('button', { name: say('shell', 'undo'), exact: true }).waitFor();

    const box = async (locator) => locator.evaluate((element) => element.getBoundingClientRect().toJSON());
    const [toast, plays] = [await box(page.locator('.toast')), await box(player)];
    assert.ok(toast.bottom <= plays.top, `${width}: the toast ends at ${toast.bottom}, the player begins at ${plays.top}`);
    if (width < 700) assert.ok(plays.bottom <= (await box(page.getByRole('navigation').first())).top + 1);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    assert.ok((await box(page.locator('main > *').last())).bottom <= plays.top);
    assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/player-${width}.png` });
    await page.getByRole('button', { name: say('shell', 'undo'), exact: true }).click();
    assert.deepEqual(flaws, []);
  }
});

async function addTodo(title) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${house.household}/api/todos`, { method: 'POST', headers, body: JSON.stringify({ title }) });
  assert.equal(answer.status, 201);
}
