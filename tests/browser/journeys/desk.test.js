/** Who keeps the shop: coming in with a second step, and the desk behind it. */

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { openBrowser } from '../browser.js';
import { command, openHouse } from '../house.js';
import { isAtRest, looksRight, OPPOSITES, PASSWORD, prefix, visitor } from '../site.js';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

/** What a phone shows that has taken this secret, so many steps from now (RFC 6238). */
function codeOf(secret, steps = 0) {
  const bits = [...secret.replaceAll('-', '')].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac('sha1', key).update(step).digest();
  return String((digest.readUInt32BE(digest.at(-1) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** A code that the phone does not show about now. */
function wrongCode(secret) {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code));
}

test('an admin turns the second step on with a phone, comes in by its code, and turns it off with a recovery code', async (t) => {
  const house = await openHouse(t);
  for (const [at, how] of OPPOSITES.entries()) {
    const [name, named, home] = [`minsu${at}`, `${how.language}-${how.width}`, prefix(how.language)];
    const { page, flaws } = await visitor(t, browser, house, how);
    const { link } = JSON.parse(await command(house.data, 'admin', 'create', name, '--json'));
    const { pathname, search } = new URL(link);
    await page.goto(`${home}${pathname}${search}`);
    await looksRight(page, `admin-setup-${named}`);
    await page.locator('[name=password]').fill(PASSWORD);
    await page.locator('.button.main').click();
    await page.locator('.more > summary').click();
    await page.locator('a[href$="/admin/second-step"]').click();
    await page.locator('#password').waitFor();
    await isAtRest(page, 'second step');
    await looksRight(page, `second-step-${named}`);
    await page.locator('#password').fill('another one');
    await page.locator('form.steps .button.main').click();
    await page.locator('#password-fault').waitFor();
    await page.locator('#password:focus').waitFor();
    await page.locator('#password').fill(PASSWORD);
    await page.locator('form.steps .button.main').click();
    await page.locator('.qr svg').waitFor();
    await looksRight(page, `second-step-begun-${named}`);
    const secret = await page.locator('.asked code').innerText();
    // Who mistypes goes on with the same picture.
    await page.locator('#code').fill(wrongCode(secret));
    await page.locator('form.steps .button.main').click();
    await page.locator('#code-fault').waitFor();
    await page.locator('#code:focus').waitFor();
    assert.equal(await page.locator('.asked code').innerText(), secret);
    await page.locator('#code').fill(codeOf(secret));
    await page.locator('form.steps .button.main').click();
    await page.locator('.codes').waitFor();
    const recovery = await page.locator('.codes code').allInnerTexts();
    assert.equal(new Set(recovery).size, 10);
    await looksRight(page, `second-step-on-${named}`);

    await page.goto(`${home}/admin/contacts`);
    await page.locator('form[action$="/admin/sign-out"] button').click();
    await page.locator('[name=name]').fill(name);
    await page.locator('[name=password]').fill(PASSWORD);
    await page.locator('.button.main').click();
    await page.waitForURL(`**${home}/admin/code`);
    await isAtRest(page, 'code');
    await page.locator('#code').fill(wrongCode(secret));
    await page.locator('.button.main').click();
    await page.locator('#code-fault').waitFor();
    await page.locator('#code:focus').waitFor();
    await looksRight(page, `admin-code-refused-${named}`);
    // The code that turned it on was used up.
    await page.locator('#code').fill(codeOf(secret, 1));
    await page.locator('.button.main').click();
    await page.waitForURL(`**${home}/admin/desk`);

    await page.goto(`${home}/admin/second-step`);
    await page.locator('details').last().locator('summary').click();
    await page.locator('#off-password').fill(PASSWORD);
    await page.locator('#off-code').fill(recovery[3]);
    await looksRight(page, `second-step-off-${named}`);
    await page.locator('details[open] .button').click();
    await page.locator('.good[role=status]').waitFor();
    assert.deepEqual(flaws, []);
  }
});
