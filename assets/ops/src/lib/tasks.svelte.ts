/** The background work that the activity drawer shows: what runs, what waits, what ended lately. */

import { SvelteMap } from 'svelte/reactivity';
import { api, call } from './api';
import { onTask } from './events.svelte';
import { byInstant } from './order';
import { Resource } from './resource.svelte';
import type { Task } from './schema';

const SHOWN = 30;

const known = new SvelteMap<string, Task>();
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
    const { jobs } = await call(api.GET('/api/system/jobs', { params: { query: { limit: SHOWN } } }));
    for (const job of jobs) learn(job);
  });
  void newest.reload();
  const hear = (news: Task) => {
    const before = known.get(news.id);
    learn(news);
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

function learn(news: Task): void {
  const before = known.get(news.id);
  // Events and the list race; progress never goes back, and an ended attempt does not run again by itself.
  if (before && before.attempts > news.attempts) return;
  if (before && before.attempts === news.attempts && !isActive(before) && isActive(news)) return;
  known.set(news.id, news);
}

function byStart(a: Task, b: Task): number {
  return byInstant(a.run_at, b.run_at);
}

function byEnd(a: Task, b: Task): number {
  return byInstant(b.finished_at ?? b.created_at, a.finished_at ?? a.created_at);
}
