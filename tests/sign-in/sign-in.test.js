/** A house whose customers come in by a provider of its own that speaks OpenID Connect as the certified ones do. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import Provider from 'oidc-provider';
import { get, openHouse } from '../browser/house.js';

const CLIENT = 'hanok-shop';
const SECRET = 'a secret of both, longer than it has to be';
const MAIL = 'jiwoo@example.com';

/** A browser without scripts: it keeps cookies by origin and follows nothing by itself. */
class Browser {
  #cookies = new Map();

  async ask(address, fields) {
    const { origin } = new URL(address);
    const kept = this.#cookies.get(origin) ?? new Map();
    const response = await fetch(address, {
      method: fields ? 'POST' : 'GET',
      headers: { accept: 'text/html', cookie: [...kept].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: fields && new URLSearchParams(fields),
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      if (value && !/expires=Thu, 01 Jan 1970/i.test(line)) kept.set(name, value);
      else kept.delete(name);
    }
    this.#cookies.set(origin, kept);
    const leads = response.headers.get('location');
    return { status: response.status, leads: leads && new URL(leads, address).href, text: await response.text() };
  }

  /** Goes on as long as it is sent on, and not beyond `end`. */
  async follow(answer, end) {
    while (answer.leads && !answer.leads.startsWith(end)) answer = await this.ask(answer.leads);
    return answer;
  }
}

const field = (page, name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)[1];

/** A provider at an address of its own, which ends with the test; it serves from when it knows the house. */
async function openProvider(t) {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const serve = (house) => {
    const provider = new Provider(issuer, {
      clients: [{ client_id: CLIENT, client_secret: SECRET, redirect_uris: [`${house.customers}/auth/callback`] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => ({ sub: id, email: MAIL, email_verified: true, name: '김지우' }),
      }),
      pkce: { required: () => true },
    });
    server.on('request', provider.callback());
  };
  const settings = {
    HANOK_SIGN_IN__ISSUER: issuer,
    HANOK_SIGN_IN__LABEL: '마을 계정',
    HANOK_SIGN_IN__CLIENT_ID: CLIENT,
    HANOK_SIGN_IN__CLIENT_SECRET: SECRET,
  };
  return { issuer, serve, settings };
}

/** From the page of the house to the provider, through its sign-in and consent, and back. */
async function signIn(browser, house, issuer) {
  const page = await browser.ask(`${house.customers}/account/sign-in`);
  const fields = { _seal: field(page.text, '_seal'), _key: field(page.text, '_key'), provider: 'sign_in' };
  const onward = await browser.ask(`${house.customers}/account/sign-in/with`, fields);
  const way = /content="0;url=([^"]*)"/.exec(onward.text)[1].replaceAll('&#38;', '&').replaceAll('&amp;', '&');
  assert.ok(way.startsWith(`${issuer}/`), way);
  let answer = await browser.follow(await browser.ask(way), house.customers);
  for (const prompt of ['login', 'consent']) {
    if (answer.leads) break;
    const action = /action="([^"]*)"/.exec(answer.text)[1];
    const typed = prompt === 'login' ? { prompt, login: 'jiwoo-1', password: 'any' } : { prompt };
    answer = await browser.follow(await browser.ask(new URL(action, issuer).href, typed), house.customers);
  }
  return answer.leads;
}

test('a customer comes in by a provider, is the same one next time, and a return counts once', async (t) => {
  const provider = await openProvider(t);
  const house = await openHouse(t, { settings: provider.settings });
  provider.serve(house);
  const browser = new Browser();
  const back = await signIn(browser, house, provider.issuer);
  assert.equal(new URL(back).searchParams.get('iss'), provider.issuer);
  assert.equal((await new Browser().ask(back)).leads, `${house.customers}/account/sign-in?problem=ended&by=`);
  assert.equal((await browser.ask(back)).leads, `${house.customers}/account`);
  const account = JSON.parse((await browser.ask(`${house.customers}/api/account`)).text);
  assert.equal(account.mail, MAIL);
  assert.equal(account.profile.name, '김지우');
  assert.equal((await browser.ask(back)).leads, `${house.customers}/account/sign-in?problem=ended&by=`);

  const elsewhere = new Browser();
  await elsewhere.ask(await signIn(elsewhere, house, provider.issuer));
  const again = JSON.parse((await elsewhere.ask(`${house.customers}/api/account`)).text);
  assert.equal(again.id, account.id);
  const { providers } = await get(house, '/api/system/providers');
  assert.equal(providers.find(({ name }) => name === 'sign_in').state, 'ok');
});
