import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { guarded } from '../../lib/day';
import { loadMessages } from '../../lib/i18n.svelte';
import type { Schemas, Today } from '../../lib/schema';
import type { Need } from '../../lib/section';
import { SECTIONS } from '../../sections';
import { needsOf as needsOfAll, PARTS, stepsOf } from './parts';

const door = vi.hoisted(() => ({ passphrase_set: false, access: 'loopback' }));
vi.mock('../../lib/house.svelte', () => ({ house: () => door }));

type Todo = Today['todos']['due'][number];

const NOW = Date.parse('2026-11-20T06:00:00Z');

function todo(id: number, due: string): Todo {
  return { id, title: `${id}`, note: '', due, done: false, created_at: '2026-11-01T00:00:00Z', done_at: null, time: null, remind_before: null, remind_at: null, reminded_at: null, reminded_for: null, repeat: null, repeat_day: null, followed_by: null, follows: null };
}

/** What is told here of Today; a section that is added later tells its own. */
type Told = Schemas['lottery.LotteryToday'] & Schemas['todos.TodosToday'] & Schemas['TasksToday'] & Schemas['BackupsToday'] & Schemas['HouseToday'];

function day(over: Partial<Told>): Told {
  return {
    now: '2026-11-20T06:00:00Z',
    draw: {
      latest: {
        draw_no: 1245, date: '2026-10-10', numbers: [4, 5, 25, 28, 32, 42], bonus: 12, total_sales: null, prizes: [],
        first_prize_methods: null, published: 'numbers',
      },
      next_draw: { draw_no: 1246, at: '2026-11-21T11:35:00Z', sales_close_at: '2026-11-21T11:00:00Z' }, picks: [], missing: 0, undecided: 0,
    },
    todos: { due: [], due_count: 0, next: [], open_count: 0, overdue_count: 0 }, purchases_waiting: null, purchases_over_limit: null, tasks: [],
    last_verified_backup: {
      name: 'a', kind: 'hourly', state: 'verified', created_at: '2026-11-20T05:00:00Z', verified_at: '2026-11-20T05:00:01Z', read_at: null, bytes: 1, rows: 1,
      number: 1, pause_ms: 0, last_write_left_out: false,
      store_version: 1, app_version: '0.1.0', sha256: '',
    },
    damaged_backups: [], sound_backups_as_of: '2026-11-20T05:00:01Z', backup_every_minutes: 60, backups_switched_off_by: null, mails_in_folder: 0, address_fixed_by: null, storage_state: 'ok', failing_providers: [], settings_problem: null, settings_problem_localized: null, unread: [], ...over,
  };
}

/** A provider that cannot be reached. */
function away(name: string): Today['failing_providers'][number] {
  return {
    name, title_ko: '동행복권', title_en: 'The lottery operator', state: 'failing', last_success_at: null, last_failure_at: '2026-11-20T05:59:00Z',
    failure: 'The lottery operator cannot be reached', consecutive_failures: 1, retry_at: null, setting: 'lottery.operator',
    failure_localized: { message_key: 'house.upstream.not_reached', params: { who: { ko: '동행복권', en: 'The lottery operator' } } },
  };
}

/** What the sections need whose facts are told here. */
const needsOf = (today: Told, now: number) =>
  needsOfAll(today as Today, now, PARTS.filter(({ room }) => ['lottery', 'todos', 'system'].includes(room))).needs;

beforeAll(async () => {
  await loadMessages('shell');
  await loadMessages('today');
  await Promise.all(['said', 'work'].map(loadMessages));
});

test('every section that declares a part of Today has one, in the order of the sections', () => {
  const declared = (room: string) => existsSync(join(import.meta.dirname, '..', room, 'today.ts'));
  expect(PARTS.map(({ room }) => room)).toEqual(SECTIONS.map(({ room }) => room).filter(declared));
  expect(PARTS.length).toBeGreaterThan(2);
});

test('a calm day needs nothing', () => {
  expect(needsOf(day({}), NOW)).toEqual([]);
});

test('a full disk comes before everything else', () => {
  const needs = needsOf(day({ storage_state: 'full', failing_providers: [away('market_quotes')], last_verified_backup: null }), NOW);
  expect(needs.map(({ id }) => id)).toEqual(['system-storage', 'system-no_backup', 'system-provider market_quotes']);
});

test('a settings file that the next start cannot use is said with what to mend, and leads to the settings', () => {
  const unfit = { message_key: 'house.settings_unfit', params: { keys: 'backup.hourly, lottery.monthly_limit', why: '' } };
  const [need] = needsOf(day({ settings_problem: 'the settings file cannot be used', settings_problem_localized: unfit }), NOW);
  expect([need?.id, need?.urgent, need?.act]).toEqual(['system-settings', true, { open: '/system/settings' }]);
  expect(need?.text).toBe('설정 파일에 오류가 있습니다. 고치지 않으면 hanok을 다시 시작할 수 없습니다. 오류가 있는 설정: backup.hourly, lottery.monthly_limit.');
  const unreadable = { message_key: 'house.settings_unreadable_from', params: { line: 4, why: 'expected a key' } };
  const [other] = needsOf(day({ settings_problem: 'line 4', settings_problem_localized: unreadable }), NOW);
  expect(other?.text).toBe('설정 파일의 4번째 줄을 읽을 수 없습니다. 고치지 않으면 hanok을 다시 시작할 수 없습니다.');
});

test('a damaged backup is told by its time here and its kind, with the button that makes a sound one, until there is a newer one', () => {
  const damaged = { ...day({}).last_verified_backup!, kind: 'restore' as const, state: 'damaged' as const, created_at: '2026-11-19T03:04:02Z', number: 2 };
  const [need, ...others] = needsOf(day({ damaged_backups: [damaged] }), NOW);
  expect([need?.id, need?.urgent, others.length]).toEqual(['system-damaged_backup', true, 0]);
  expect(need?.text).toBe('11월 19일 (목) 12:04의 백업(복원 직전)이 손상되어 복원할 수 없습니다. 나머지 백업은 정상입니다.');
  expect(need?.act).toMatchObject({ label: '지금 백업' });
  // Until they have been read since then, only what is known of the others is said.
  const [unread] = needsOf(day({ damaged_backups: [{ ...damaged, read_at: '2026-11-20T05:30:00Z' }] }), NOW);
  expect(unread?.text).toContain('나머지 백업에서는 손상이 발견되지 않았습니다. 마지막 검사: 11월 20일 (금) 14:00.');
  const [read] = needsOf(day({ damaged_backups: [{ ...damaged, read_at: '2026-11-20T05:30:00Z' }], sound_backups_as_of: '2026-11-20T05:30:00Z' }), NOW);
  expect(read?.text).toContain('나머지 백업은 정상입니다.');
  expect(needsOf(day({ damaged_backups: [damaged, damaged] }), NOW)[0]?.text).toContain('2개');
  const [alone, ...more] = needsOf(day({ damaged_backups: [damaged], last_verified_backup: null, sound_backups_as_of: null }), NOW);
  expect([alone?.text, more]).toEqual(['11월 19일 (목) 12:04의 백업(복원 직전)이 손상되어 복원할 수 없습니다. 정상 백업이 없습니다.', []]);
  expect(alone?.act).toMatchObject({ label: '지금 백업' });
  const [later] = needsOf(day({ damaged_backups: [{ ...damaged, number: 0 }] }), NOW);
  expect([later?.urgent, later?.act]).toEqual([false, { open: '/system/backups' }]);
});

test('a house that makes no backups by itself says so, however sound the newest is, and leads to the setting', () => {
  const [need, ...others] = needsOf(day({ backup_every_minutes: null, backups_switched_off_by: 'backup.every_minutes' }), NOW);
  expect([need?.id, need?.act, others]).toEqual(['system-by_hand', { open: '/system/settings?find=backup.every_minutes' }, []]);
  expect(need?.text).toBe('자동 백업이 꺼져 있습니다. 직접 만든 백업만 있습니다.');
});

test('mails that cannot go out are told, with the setting that lets them', () => {
  const [need, ...others] = needsOf(day({ mails_in_folder: 2 }), NOW);
  expect([need?.id, need?.act, others]).toEqual(['system-mail', { open: '/system/settings?find=mail.host' }, []]);
  expect(need?.text).toContain('2통');
});

test('what is due later is not a need; overdue is told from due today', () => {
  const due = [todo(1, '2026-11-18'), todo(2, '2026-11-20'), todo(3, '2026-11-25')];
  const needs = needsOf(day({ todos: { due, due_count: 3, next: [], open_count: 3, overdue_count: 1 } }), NOW);
  expect(needs.map(({ id, urgent }) => [id, urgent])).toEqual([['todos-1', true], ['todos-2', false]]);
});

test('many due todos end in a number', () => {
  const due = [1, 2, 3, 4, 5, 6].map((id) => todo(id, '2026-11-20'));
  expect(needsOf(day({ todos: { due, due_count: 6, next: [], open_count: 6, overdue_count: 0 } }), NOW).at(-1)?.text).toBe('기한이 된 할 일이 2개 더 있습니다');
});

test('beyond what the server names, the number is still exact', () => {
  const due = Array.from({ length: 10 }, (_, index) => todo(index + 1, '2026-11-18'));
  expect(needsOf(day({ todos: { due, due_count: 83, next: [], open_count: 90, overdue_count: 80 } }), NOW).at(-1)?.text).toBe('기한이 된 할 일이 79개 더 있습니다');
});

test('draws that are missing and a draw that comes near stand in their places', () => {
  const { draw } = day({});
  const near = { ...draw, missing: 3, picks: [{ for_draw: 1246 }] } as unknown as Today['draw'];
  const due = [todo(1, '2026-11-20')];
  const needs = needsOf(day({ draw: near, todos: { due, due_count: 1, next: [], open_count: 1, overdue_count: 0 }, last_verified_backup: null }), NOW);
  expect(needs.map(({ id }) => id)).toEqual(['todos-1', 'lottery-missing', 'system-no_backup', 'lottery-picks']);
  expect(needsOf(day({ draw: { ...near, missing: 0 } }), NOW - 2 * 86_400_000)).toEqual([]);
});

test('draws that are missing because the operator is away are one line, with the cause and the next step', () => {
  const { draw } = day({});
  const needs = needsOf(day({ draw: { ...draw, missing: 3 }, failing_providers: [away('lottery_operator'), away('market_quotes')] }), NOW);
  expect(needs.map(({ id }) => id)).toEqual(['lottery-missing', 'system-provider market_quotes']);
  expect(needs[0]?.text).toBe('가져오지 못한 추첨 결과가 3회분 있습니다. 동행복권: 연결할 수 없습니다. 네트워크를 확인하고 다시 가져와 주세요.');
  expect(needs[0]?.act).toMatchObject({ label: '다시 가져오기' });
  const nothingMissing = needsOf(day({ failing_providers: [away('lottery_operator')] }), NOW);
  expect(nothingMissing.map(({ id }) => id)).toEqual(['system-provider lottery_operator']);
});

test('an operator who is left alone is not asked before the time that Today says, and then by the same button as ever', () => {
  const resting = { ...away('lottery_operator'), state: 'open' as const, retry_at: '2026-11-20T06:04:00Z' };
  const needAt = (now: number) => needsOf(day({ draw: { ...day({}).draw, missing: 3 }, failing_providers: [resting] }), now)[0];
  expect(needAt(NOW)?.text).toBe('가져오지 못한 추첨 결과가 3회분 있습니다. 동행복권: 연결할 수 없습니다. 15:04부터 다시 가져올 수 있습니다.');
  expect(needAt(NOW)?.act).toEqual({ open: '/system/providers' });
  expect(needAt(Date.parse(resting.retry_at))?.act).toMatchObject({ label: '다시 가져오기' });
  const [ofSystem] = needsOf(day({ failing_providers: [resting] }), NOW);
  expect(ofSystem?.text).toBe('동행복권: 연결할 수 없습니다. 15:04부터 다시 가져올 수 있습니다.');
});

test('an operator who asks for fewer requests is left alone, on Today, too', () => {
  const { draw } = day({});
  const tooMany = { ...away('lottery_operator'), failure_localized: { ...away('').failure_localized!, message_key: 'house.upstream.fewer' } };
  const [need] = needsOf(day({ draw: { ...draw, missing: 3 }, failing_providers: [tooMany] }), NOW);
  expect(need?.text).toBe('가져오지 못한 추첨 결과가 3회분 있습니다. 동행복권: 요청을 줄여 달라고 합니다. 나중에 자동으로 다시 가져옵니다.');
  expect(need?.act).toEqual({ open: '/system/providers' });
});

test('a draw that was kept aside waits for a decision', () => {
  const { draw } = day({});
  const needs = needsOf(day({ draw: { ...draw, undecided: 2 } }), NOW);
  expect(needs.map(({ id, text, act }) => [id, text, act])).toEqual([['lottery-undecided', '저장된 값과 다른 추첨 2건을 결정해 주세요', { open: '/lottery' }]]);
});

test('a section that cannot say what it needs is named, and silences no other', () => {
  const broken = { ...PARTS[0]!, needs: () => { throw new Error('planted'); } };
  const sound = PARTS.find(({ room }) => room === 'system')!;
  const heard = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { needs, failed } = needsOfAll(day({ storage_state: 'full' }) as Today, NOW, [broken, sound]);
  expect([needs.map(({ id }) => id), failed]).toEqual([['system-storage'], [broken.name]]);
  expect(heard).toHaveBeenCalledOnce();
  heard.mockRestore();
});

test('backups that could not be looked at silence nothing else that the house needs', () => {
  const heard = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const today = guarded(day({ storage_state: 'full', unread: ['last_verified_backup', 'damaged_backups', 'sound_backups_as_of'] }) as Today);
  const { needs, failed } = needsOfAll(today, NOW, PARTS.filter(({ room }) => room === 'system'));
  expect([needs.map(({ id }) => id), failed]).toEqual([['system-storage'], ['system.name']]);
  expect(heard).toHaveBeenCalledOnce();
  heard.mockRestore();
});

test('first steps are shown until they are done or skipped, and what cannot be read says nothing', () => {
  const left = (skipped: string[], over: Partial<Told> = {}) => stepsOf(day(over) as Today, skipped).map(({ key }) => key);
  expect(left([])).toEqual(['system-passphrase', 'system-network', 'system-backup']);
  expect(left(['system-network'])).toEqual(['system-passphrase', 'system-backup']);
  Object.assign(door, { passphrase_set: true, access: 'passphrase' });
  expect(left([])).toEqual(['system-backup']);
  expect(left(['system-backup'])).toEqual([]);
  const unreadable = { room: 'x', name: 'today.name', changes: [], steps: [{ id: 'a', name: 'today.name', text: () => '', done: () => { throw new Error('unread'); } }] } as never;
  expect(stepsOf(day({}) as Today, [], [unreadable])).toEqual([]);
});

test('the step to other devices leads to the setting, and where a flag or a variable fixes it says which, and leads nowhere', () => {
  Object.assign(door, { passphrase_set: false, access: 'loopback' });
  vi.stubGlobal('location', { port: '9000' });
  const step = (over: Partial<Told>) => {
    const today = day(over) as Today;
    const network = stepsOf(today, []).find(({ key }) => key === 'system-network');
    return [network?.text(today), network?.act?.(today)?.open];
  };
  const [free, open] = step({});
  expect([free?.includes('0.0.0.0:9000'), open]).toEqual([true, '/system/settings?find=ops.listen']);
  const [fixed, nowhere] = step({ address_fixed_by: '--ops-listen' });
  expect([fixed?.includes('--ops-listen에서 지정한 값이라 여기에서 변경할 수 없습니다'), nowhere]).toEqual([true, undefined]);
  vi.unstubAllGlobals();
});

test('the step to other devices asks for the passphrase first only while none is set', () => {
  vi.stubGlobal('location', { port: '9000' });
  const said = (passphrase_set: boolean, over: Partial<Told>) => {
    Object.assign(door, { passphrase_set, access: 'loopback' });
    const today = day(over) as Today;
    return stepsOf(today, []).find(({ key }) => key === 'system-network')?.text(today).includes('집 암호');
  };
  for (const over of [{}, { address_fixed_by: '--ops-listen' }]) expect([said(false, over), said(true, over)]).toEqual([true, false]);
  vi.unstubAllGlobals();
});

test('draws that are missing while the operator is away are said once on Today, by what needs doing', () => {
  const said = (over: Partial<Told>) => {
    const today = day({ draw: { ...day({}).draw, missing: 3 }, ...over });
    const steps = stepsOf(today as Today, []).map(({ key }) => key);
    const ids: Need['id'][] = [...needsOf(today, NOW).map(({ id }) => id), ...steps];
    return ids.filter((id) => id === 'lottery-missing' || id === 'lottery-fetch');
  };
  expect(said({})).toEqual(['lottery-missing', 'lottery-fetch']);
  expect(said({ failing_providers: [away('market_quotes')] })).toEqual(['lottery-missing', 'lottery-fetch']);
  expect(said({ failing_providers: [away('lottery_operator')] })).toEqual(['lottery-missing']);
});

test('draws that could not be fetched say when that was last tried', () => {
  const missing = { ...day({}).draw, missing: 3 };
  const hint = (at: string) => needsOf(day({ draw: missing, failing_providers: [{ ...away('lottery_operator'), last_failure_at: at }] }), NOW).find(({ id }) => id === 'lottery-missing')?.hint;
  expect(hint('2026-11-20T05:59:00Z')).toBe('마지막 시도 1분 전');
  expect(hint('2026-11-20T06:00:00Z')).toBe('마지막 시도 방금');
});
