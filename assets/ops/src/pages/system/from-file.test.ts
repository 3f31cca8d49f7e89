import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../lib/api';
import { ownWork } from '../../lib/own-work.svelte';
import { dismiss, toasts } from '../../lib/toasts.svelte';
import { forgetUnsent } from '../../lib/unsent';
import { decide, doing, endOther, fromFile, throwAway, send, showFromFile, stop } from './from-file.svelte';
import type { Uploaded } from './types';

/** The way of the file to the house: the test says how much of it is gone and what is answered. */
const way = vi.hoisted(() => ({ told: (_percent: number): void => undefined, take: (_brought: unknown): void => undefined, refuse: (_cause: unknown): void => undefined }));
vi.mock('../../lib/transfer', () => ({
  sendFile: (_path: string, _file: Blob, told: (percent: number) => void, signal: AbortSignal) =>
    new Promise((take, refuse) => {
      Object.assign(way, { told, take, refuse });
      signal.addEventListener('abort', () => refuse(new ApiError('ABORTED', 0, '')));
    }),
}));
vi.mock('../../lib/i18n.svelte', () => ({ t: (key: string) => key, currentLanguage: () => 'ko', known: () => undefined, loadMessages: async () => undefined }));

const FILE = new File(['backup'], 'home.hanok');
const BROUGHT = { id: 'brought-1' } as Uploaded;
const TAKEN = new ApiError('CONFLICT', 409, '', {}, null, { whole: { message_key: 'house.another_upload', params: {} }, fields: {} });
const BAD = new ApiError('INVALID_INPUT', 422, 'no backup');

let deleted: string[];
let house: () => Response;
let leave: () => void;

beforeEach(() => {
  deleted = [];
  house = () => new Response('{}');
  leave = () => undefined;
  vi.stubGlobal('fetch', async (request: Request) => {
    deleted.push(`${request.method} ${new URL(request.url).pathname}`);
    return house();
  });
});

afterEach(() => {
  leave();
  forgetUnsent();
  toasts().forEach(({ id }) => dismiss(id));
  vi.unstubAllGlobals();
});

const said = () => toasts().map(({ text, tone }) => [text, tone]);
const listed = () => ownWork().map(({ name, percent }) => [name(), percent()]);

describe('a backup file that is sent', () => {
  test('is listed with how far it is, and then as waiting, until it is put away at the house, too', async () => {
    const sent = send(FILE);
    way.told(40);
    expect([fromFile.isSending, fromFile.percent, listed()]).toEqual([true, 40, [['system.file.sending', 40]]]);
    way.told(100);
    expect([fromFile.percent, listed()]).toEqual([null, [['system.file.checking', null]]]);
    way.take(BROUGHT);
    await sent;
    expect([fromFile.isSending, fromFile.brought, doing(), listed()]).toEqual([false, BROUGHT, 'system.file.ready', [['system.file.ready', undefined]]]);
    await throwAway();
    expect([fromFile.brought, fromFile.closed, deleted, listed()]).toEqual([undefined, 'brought-1', ['DELETE /api/system/restore/brought-1'], []]);
    const next = send(FILE);
    expect(fromFile.percent).toBe(0);
    stop();
    await next;
  });

  test('is announced to who reads another page, and not to who sees it on its own', async () => {
    const away = send(FILE);
    way.take(BROUGHT);
    await away;
    expect(said()).toEqual([['system.file.ready', 'plain']]);
    toasts().forEach(({ id }) => dismiss(id));
    leave = showFromFile();
    const seen = send(FILE);
    way.take(BROUGHT);
    await seen;
    expect(said()).toEqual([]);
  });

  test('is said to be refused, with the reason, where it is not seen, and is no longer listed', async () => {
    const away = send(FILE);
    way.refuse(BAD);
    await away;
    expect([said(), fromFile.error, fromFile.isSending, listed()]).toEqual([[['system.file.refused shell.problem.INVALID_INPUT', 'problem']], BAD, false, []]);
    toasts().forEach(({ id }) => dismiss(id));
    leave = showFromFile();
    const seen = send(FILE);
    expect(fromFile.error).toBeUndefined();
    way.refuse(BAD);
    await seen;
    expect([said(), fromFile.error]).toEqual([[], BAD]);
  });

  test('leaves nothing to say when it is called off', async () => {
    const sent = send(FILE);
    stop();
    await sent;
    expect([said(), fromFile.error, fromFile.isSending, listed()]).toEqual([[], undefined, false, []]);
  });

  test('is called off from the list while it is on its way, and left for later from there when it has come', async () => {
    const first = send(FILE);
    ownWork()[0]!.stop();
    await first;
    expect([deleted, listed()]).toEqual([[], []]);
    const second = send(FILE);
    way.take(BROUGHT);
    await second;
    ownWork()[0]!.stop();
    expect([fromFile.brought, deleted, listed()]).toEqual([undefined, [], []]);
  });

  test('that follows one that was called off is under way, however late that one ends', async () => {
    const first = send(FILE);
    stop();
    const second = send(FILE);
    await first;
    expect([fromFile.isSending, listed()]).toEqual([true, [['system.file.sending', 0]]]);
    stop();
    await second;
  });

  test('goes with who signs out, on its way and when it has come', async () => {
    const onItsWay = send(FILE);
    forgetUnsent();
    await onItsWay;
    expect([fromFile.isSending, listed()]).toEqual([false, []]);
    const sent = send(FILE);
    way.take(BROUGHT);
    await sent;
    forgetUnsent();
    expect([fromFile.brought, listed()]).toEqual([undefined, []]);
  });

  test('and what was said of it is nothing to who comes next', async () => {
    for (const ended of [false, true]) {
      const sent = send(FILE);
      way.refuse(TAKEN);
      await sent;
      if (ended) await endOther();
      forgetUnsent();
      expect([fromFile.error, fromFile.hasEnded]).toEqual([undefined, false]);
    }
  });
});

describe('another file that comes in', () => {
  test('is told apart from any other refusal, and who is told of it may end it', async () => {
    expect(fromFile.isTaken).toBe(false);
    for (const [cause, isTaken] of [[BAD, false], [TAKEN, true]] as const) {
      const sent = send(FILE);
      way.refuse(cause);
      await sent;
      expect(fromFile.isTaken).toBe(isTaken);
    }
    await endOther();
    expect([fromFile.isTaken, fromFile.hasEnded, fromFile.error, deleted]).toEqual([false, true, undefined, ['DELETE /api/system/restore/coming']]);
    const again = send(FILE);
    expect(fromFile.hasEnded).toBe(false);
    stop();
    await again;
  });

  test('goes on where it could not be ended, and the reason is said', async () => {
    const sent = send(FILE);
    way.refuse(TAKEN);
    await sent;
    house = () => Response.json({ error: 'INTERNAL', message: 'no', retry_after: null }, { status: 500 });
    await endOther();
    expect([fromFile.hasEnded, (fromFile.error as ApiError).code]).toEqual([false, 'INTERNAL']);
  });
});

test('what was brought before is decided on, and thrown away at the house only where there is something', async () => {
  await throwAway();
  expect(deleted).toEqual([]);
  decide(BROUGHT);
  expect(fromFile.brought).toBe(BROUGHT);
  await throwAway();
  expect(deleted).toEqual(['DELETE /api/system/restore/brought-1']);
});
