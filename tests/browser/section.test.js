/** A new section of the app is a new folder: nothing outside it is touched. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { newVisitor, openBrowser, settled, visit } from './browser.js';
import { command, newFolder, openHouse } from './house.js';

const assets = new URL('../../assets/', import.meta.url).pathname;
const run = promisify(execFile);

/** A copy of the app's sources with the template among its sections. */
async function appWithTemplate(t) {
  const root = await newFolder(t);
  const app = join(root, 'ops');
  const isMade = /[\\/](node_modules|dist|generated|template)$/;
  await cp(join(assets, 'ops'), app, { recursive: true, filter: (source) => !isMade.test(source) });
  await cp(join(assets, 'style'), join(root, 'style'), { recursive: true });
  await cp(join(assets, 'ops/template/notes'), join(app, 'src/pages/notes'), { recursive: true });
  await symlink(join(assets, 'ops/node_modules'), join(app, 'node_modules'));
  return app;
}

/** Builds the app at `app` and serves it before `house`; gives its address. */
async function serve(t, app, house) {
  process.env['HANOK_OPS'] = house.household;
  t.after(() => delete process.env['HANOK_OPS']);
  const { build, preview } = await import(createRequire(join(assets, 'ops/package.json')).resolve('vite'));
  await build({ root: app, logLevel: 'error' });
  const server = await preview({ root: app, logLevel: 'error', preview: { host: '127.0.0.1', port: 0 } });
  t.after(() => server.close());
  return `http://127.0.0.1:${server.httpServer.address().port}`;
}

test('a folder with a declaration passes the checks of the types and of the sentences', async (t) => {
  const app = await appWithTemplate(t);
  await mkdir(join(app, 'generated'));
  await writeFile(join(app, 'generated/openapi.json'), await command(await newFolder(t), 'openapi'));
  const tool = (name, ...words) => run(join(app, 'node_modules/.bin', name), words, { cwd: app });
  await tool('openapi-typescript', 'generated/openapi.json', '--output', 'generated/schema.d.ts');
  await tool('svelte-check', '--tsconfig', './tsconfig.json', '--fail-on-warnings');
  await tool('vitest', 'run', 'src/lib/i18n.test.ts');
});

test('a folder with a declaration is in the navigation, at its address, under its keys and in the palette', async (t) => {
  const house = await openHouse(t);
  const household = await serve(t, await appWithTemplate(t), house);
  const browser = await openBrowser();
  t.after(() => browser.close());
  const { page, flaws } = await newVisitor(t, browser, { household });

  await visit(page, '/');
  const names = await page.getByRole('navigation').getByRole('link').allInnerTexts();
  assert.ok(names.indexOf('쪽지') > 0 && names.indexOf('쪽지') < names.length - 1, names.join(', '));
  await page.getByRole('navigation').getByRole('link', { name: '쪽지' }).click();
  await page.getByRole('heading', { name: '적어 둔 것' }).waitFor();

  await visit(page, '/');
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.waitForURL('**/notes');
  await page.getByRole('heading', { name: '적어 둔 것' }).waitFor();
  await settled(page);
  assert.equal(await page.title(), '쪽지 · hanok');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('쪽지');
  assert.deepEqual(await page.getByRole('option').allInnerTexts().then((all) => all.map((one) => one.split('\n')[0].trim())), ['쪽지', '쪽지 쓰기']);
  await page.getByRole('option', { name: '쪽지 쓰기' }).click();
  await page.waitForURL('**/notes?new=1');
  assert.deepEqual(flaws, []);
});
