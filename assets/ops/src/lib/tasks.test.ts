import { beforeEach, expect, test, vi } from 'vitest';
import { ago } from './device-clocks';
import type { Task } from './schema';

const house = vi.hoisted(() => ({ tell: (_: unknown) => undefined as void, changed: () => undefined as void, answers: [] as ((jobs: unknown[]) => void)[] }));
vi.mock('./events.svelte', () => ({
  onTask: (tell: typeof house.tell) => ((house.tell = tell), () => undefined),
  onChange: (_: unknown, tell: (since: ReturnType<typeof ago>) => void) => ((house.changed = () => tell(ago(0))), () => undefined),
  onValue: () => undefined,
  onGap: () => undefined,
  lastHeard: () => 0,
  liveLine: () => 'open',
}));

const { activeTasks, endedTasks, followTasks, task } = await import('./tasks.svelte');

function job(id: string, status: Task['status'], over: Partial<Task> = {}): Task {
  return { id, kind: 'import', title_ko: '', title_en: '', status, progress: 0, message: '', localized: null, error: null, quiet: false, attempts: 1, created_at: '2026-11-22T10:00:00Z', run_at: '2026-11-22T10:00:00Z', started_at: null, finished_at: null, ...over };
}

const ids = (tasks: Task[]) => tasks.map(({ id }) => id);
/** Answers the question that waits longest. */
async function answer(jobs: Task[]): Promise<void> {
  await vi.waitFor(() => expect(house.answers.length).toBeGreaterThan(0));
  house.answers.shift()!(jobs);
  await new Promise((resolve) => setTimeout(resolve));
}

let failures: string[];
beforeEach(async () => {
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => house.answers.push((jobs) => resolve(Response.json({ jobs, total: jobs.length, schedule: [] })))));
  house.answers = [];
  failures = [];
  followTasks(({ id }) => failures.push(id));
  await answer([]);
});

test('what the list holds is what there is: a task that a restore has taken away runs on nowhere, and one that it brought back waits again', async () => {
  house.tell(job('a1', 'running', { progress: 31 }));
  house.tell(job('a0', 'succeeded'));
  expect([ids(activeTasks()), ids(endedTasks())]).toEqual([['a1'], ['a0']]);
  house.changed();
  await answer([job('a0', 'queued', { attempts: 0 })]);
  expect([ids(activeTasks()), ids(endedTasks()), task('a1')]).toEqual([['a0'], [], undefined]);
});

test('what events tell while the list is under way is newer than the list', async () => {
  house.tell(job('b1', 'running', { progress: 10 }));
  house.changed();
  await vi.waitFor(() => expect(house.answers).toHaveLength(1));
  house.tell(job('b1', 'succeeded', { progress: 100 }));
  house.tell(job('b2', 'queued'));
  await answer([job('b1', 'running', { progress: 12 })]);
  expect([task('b1')?.status, task('b2')?.status]).toEqual(['succeeded', 'queued']);
});

test('of tasks that are older than the whole list says nothing is forgotten', async () => {
  house.tell(job('c00', 'running'));
  house.changed();
  await answer(Array.from({ length: 30 }, (_, index) => job(`c${99 - index}`, 'succeeded')));
  expect(task('c00')?.status).toBe('running');
});

test('a failure that is said where it is missed, as that of a first fetch, calls nobody', () => {
  for (const quiet of [true, false]) {
    house.tell(job(`e${quiet}`, 'running', { kind: 'lottery_sync_first', quiet }));
    house.tell(job(`e${quiet}`, 'failed', { kind: 'lottery_sync_first', quiet, error: 'UPSTREAM_UNAVAILABLE' }));
  }
  expect([task('etrue')?.status, failures]).toEqual(['failed', ['efalse']]);
});

test('a task that is tried again waits again, a word on its way after the end changes nothing, and a failure is told once', () => {
  house.tell(job('d1', 'running'));
  house.tell(job('d1', 'failed'));
  house.tell(job('d1', 'running', { progress: 90 }));
  expect(task('d1')?.status).toBe('failed');
  house.tell(job('d1', 'queued'));
  expect(task('d1')?.status).toBe('queued');
  house.tell(job('d1', 'running', { attempts: 2 }));
  expect([task('d1')?.status, failures]).toEqual(['running', ['d1']]);
});
