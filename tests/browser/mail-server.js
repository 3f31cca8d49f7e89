/** A real mail server on this machine, with STARTTLS and sign-in, that ends with the test. */

import { readFile } from 'node:fs/promises';
import { SMTPServer } from 'smtp-server';

const CERTIFICATES = new URL('../../src/platform/mail/tests/', import.meta.url).pathname;
export const [USER, PASSWORD] = ['house', 'open sesame'];

/**
 * `taken` is what it has taken, `settings` how a house finds it. `asked` answers each recipient with an error or nothing, `held`
 * is waited for before a mail that has come whole is taken.
 */
export async function mailServer(t, { asked = () => undefined, held = async () => undefined } = {}) {
  const taken = [];
  const server = new SMTPServer({
    key: await readFile(`${CERTIFICATES}server.key`),
    cert: await readFile(`${CERTIFICATES}server.pem`),
    authMethods: ['PLAIN', 'LOGIN'],
    closeTimeout: 100,
    onAuth: ({ username, password }, session, answer) => {
      const isKnown = session.secure && username === USER && password === PASSWORD;
      answer(isKnown ? null : new Error('not known'), { user: username });
    },
    onRcptTo: ({ address }, _session, answer) => answer(asked(address)),
    onData: async (stream, { envelope }, answer) => {
      const text = (await stream.setEncoding('utf8').toArray()).join('');
      await held();
      taken.push({ to: envelope.rcptTo.map(({ address }) => address), text });
      answer();
    },
  });
  server.on('error', () => undefined);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  const settings = {
    HANOK_MAIL__HOST: 'localhost',
    HANOK_MAIL__PORT: String(server.server.address().port),
    HANOK_MAIL__AUTHORITY_FILE: `${CERTIFICATES}authority.pem`,
    HANOK_MAIL__USER: USER,
    HANOK_MAIL__PASSWORD: PASSWORD,
    HANOK_MAIL__FROM: 'house@example.com',
  };
  return { taken, settings };
}
