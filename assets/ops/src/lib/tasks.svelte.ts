/** The background work that the activity drawer shows: what runs, what waits, what ended lately. */

import { SvelteMap } from 'svelte/reactivity';
import { api, call } from './api';
import { onTask } from './events.svelte';
import { byInstant } from './order';
import { Resource } from './resource.svelte';
import type { Task } from './schema';

const SHOWN = 30;

const known = new SvelteMap<string, Task>();
/** What events told of since the list was asked for last: it may know less of these. */
const heard = new Set<string>();
let asked = 0;
const running = $derived([...known.values()].filter(isActive).sort(byStart));
const ended = $derived([...known.values()].filter((task) => !isActive(task)).sort(byEnd).slice(0, SHOWN));

/** Tasks that run or wait for their turn, oldest first; reactive. */
export function activeTasks(): Task[] {
  return running;
}

/** Tasks that ended, newest first; reactive. */
export function endedTasks(): Task[] {
  return ended;
}

/** The newest state of one task; reactive. */
export function task(id: string): Task | undefined {
  return known.get(id);
}

/** Follows the tasks of the house from now on, and tells of each one that fails meanwhile, but for those whose failure is said where it is missed. Returns the end of it. */
export function followTasks(whenFailed: (failed: Task) => void): () => void {
  // The drawer is a convenience: when the list cannot be read now, the next event or reconnection brings it.
  const newest = new Resource(async () => {
    asked += 1;
    const mine = asked;
    heard.clear();
    const { jobs } = await call(api.GET('/api/system/jobs', { params: { query: { limit: SHOWN } } }));
    if (mine === asked) replace(jobs);
  });
  void newest.reload();
  const hear = (news: Task) => {
    const before = known.get(news.id);
    heard.add(news.id);
    // What an attempt has said on its way may come after its end.
    if (!(before && !isActive(before) && news.status === 'running' && before.attempts === news.attempts)) known.set(news.id, news);
    if (news.status === 'failed' && !news.quiet && before && isActive(before)) whenFailed(news);
  };
  const ends = [onTask(hear), newest.follow(['jobs'])];
  return () => ends.forEach((end) => end());
}

/** Asks the server to stop a task. */
export async function cancelTask(id: string): Promise<void> {
  await call(api.POST('/api/system/jobs/{id}/cancel', { params: { path: { id } } }));
}

/** Asks the server to run a failed task again. */
export async function retryTask(id: string): Promise<void> {
  await call(api.POST('/api/system/jobs/{id}/retry', { params: { path: { id } } }));
}

/** Whether it is still going to change. */
export function isActive(of: Task): boolean {
  return of.status === 'queued' || of.status === 'running';
}

/** What the server lists is what there is: a restore has other tasks, and others in an earlier state. Of older ones than those it says nothing. */
function replace(listed: Task[]): void {
  const oldest = listed.length < SHOWN ? '' : (listed.at(-1)?.id ?? '');
  const ids = new Set(listed.map(({ id }) => id));
  for (const id of [...known.keys()]) if (id > oldest && !ids.has(id) && !heard.has(id)) known.delete(id);
  for (const job of listed) if (!heard.has(job.id)) known.set(job.id, job);
}

function byStart(a: Task, b: Task): number {
  return byInstant(a.run_at, b.run_at);
}

function byEnd(a: Task, b: Task): number {
  return byInstant(b.finished_at ?? b.created_at, a.finished_at ?? a.created_at);
}
