import { expect, test } from 'vitest';
import { matters, type Known } from './matters';

const sound = (): Known => ({
  system: { health: { live: true, ready: true, checks: [{ name: 'store_read', ok: true }] }, storage: { state: 'ok' }, last_verified_backup: {} },
  backups: { backups: [{ state: 'verified' }] },
  providers: { providers: [{ name: 'lottery_operator', state: 'ok', failure: null }, { name: 'market', state: 'unused', failure: null }] },
  tasks: { jobs: [], failing: [] },
  mails: { counts: { waiting: 3, delivery_unknown: 0, failed: 0, held: 0 } },
}) as unknown as Known;
const provider = (state: string) => ({ name: 'lottery_operator', title_ko: '동행복권', title_en: 'The operator', state, failure: 'cannot be reached' });
const task = (message: string) => ({ kind: 'check', title_ko: '전체 검사', title_en: 'Full check', message, localized: null });
/** A job that got nothing from a provider of this name. */
const refused = (how: string, ko = '동행복권') => ({
  ...task('in English'), kind: 'sync', localized: { message_key: `house.upstream.${how}`, params: { who: { ko, en: ko === '동행복권' ? 'The operator' : 'Quotes' } } },
});
const pages = (known: Known) => matters(known)?.map(({ page }) => page);

test('where nothing fails nothing needs care', () => {
  expect(matters(sound())).toEqual([]);
});

test('all is well is said only where everything is known', () => {
  for (const part of ['system', 'backups', 'providers', 'tasks', 'mails'] as const) {
    expect(matters({ ...sound(), [part]: undefined }), part).toBeUndefined();
  }
});

test('a provider that fails or rests, a kind of job that fails, a backup that is damaged or missing each need care', () => {
  const known = sound();
  expect(pages({ ...known, providers: { providers: [provider('failing')] } } as unknown as Known)).toEqual(['providers']);
  expect(pages({ ...known, providers: { providers: [provider('open')] } } as unknown as Known)).toEqual(['providers']);
  expect(pages({ ...known, tasks: { failing: [task('a page is damaged')] } } as unknown as Known)).toEqual(['jobs']);
  expect(pages({ ...known, backups: { backups: [{ state: 'verified' }, { state: 'damaged' }, { state: 'damaged' }] } } as unknown as Known)).toEqual(['backups']);
  expect(pages({ ...known, system: { ...known.system, last_verified_backup: null } } as unknown as Known)).toEqual(['backups']);
});

test('a settings file that the next start cannot use needs care, whatever the storage does', () => {
  const known = sound();
  const checks = [{ name: 'store_read', ok: true }, { name: 'settings', ok: false }];
  const unfit = { ...known, system: { ...known.system, health: { ready: true, checks } } };
  expect(pages(unfit as unknown as Known)).toEqual(['settings']);
  const full = { ...unfit, system: { ...unfit.system, storage: { state: 'full' } } };
  expect(pages(full as unknown as Known)).toEqual(['overview', 'settings']);
});

test('one cause is one thing: a job that failed for its provider, checks that fail for the storage', () => {
  const known = sound();
  const away = { ...known, providers: { providers: [provider('failing')] }, tasks: { failing: [refused('not_reached'), task('a page is damaged')] } };
  expect(pages(away as unknown as Known)).toEqual(['providers', 'jobs']);
  // What the provider failed with first, and what the job heard last, need not be one sentence.
  const resting = { ...known, providers: { providers: [provider('open')] } };
  const seen = (...failing: unknown[]) => pages({ ...resting, tasks: { failing } } as unknown as Known);
  expect(seen(refused('left_alone'), refused('timed_out'))).toEqual(['providers']);
  expect(seen(refused('left_alone', '시세'))).toEqual(['providers', 'jobs']);
  expect(seen({ ...refused('status'), localized: { message_key: 'house.task.interrupted', params: {} } })).toEqual(['providers', 'jobs']);
  // Where the provider answers again, what has still not been done is a thing of its own.
  expect(pages({ ...known, tasks: { failing: [refused('left_alone')] } } as unknown as Known)).toEqual(['jobs']);
  const checks = [{ name: 'store_read', ok: false }, { name: 'store_write', ok: false }];
  const full = { ...known, system: { ...known.system, storage: { state: 'full' }, health: { checks } } };
  expect(pages(full as unknown as Known)).toEqual(['overview']);
  expect(pages({ ...full, system: { ...full.system, storage: { state: 'ok' } } } as unknown as Known)).toEqual(['overview', 'overview']);
});

test('mails that wait need nobody, and those about which somebody has to decide are one thing', () => {
  for (const status of ['delivery_unknown', 'failed', 'held']) {
    const counts = { waiting: 0, delivery_unknown: 0, failed: 0, held: 0, [status]: 2 };
    expect(pages({ ...sound(), mails: { counts } } as unknown as Known), status).toEqual(['mail']);
  }
});
