/** Posts that come in from files: it goes on while other pages are read, and what came of it is there when one comes back. */

import { ApiError, asApiError } from '../../lib/api';
import { t } from '../../lib/i18n.svelte';
import { beginOwnWork } from '../../lib/own-work.svelte';
import { sentence } from '../../lib/problems';
import type { Schemas } from '../../lib/schema';
import { Sending } from '../../lib/sending.svelte';
import { toast, toastProblem } from '../../lib/toasts.svelte';
import { forgetAtSignOut } from '../../lib/unsent';
import { packed, type Named } from './packing';

const sending = new Sending();
let problem = $state.raw<ApiError>();
let done = $state.raw<Schemas['blog.ImportedPosts']>();
let isShown = false;

export const importing = {
  /** Whether some come in; reactive, as all of these. */
  get isGoing(): boolean {
    return sending.isGoing;
  },
  /** How much is gone; null while it is packed, or the house reads it. */
  get percent(): number | null {
    return sending.percent;
  },
  /** Why the last ones could not come in. */
  get problem(): ApiError | undefined {
    return problem;
  },
  /** What became of the last ones. */
  get done(): Schemas['blog.ImportedPosts'] | undefined {
    return done;
  },
};

/** What it does now, in words. */
export function doing(): string {
  return sending.percent === null ? t('blog.files.reading') : t('blog.files.sending');
}

/** The window is open that tells what comes of it. Returns the end of it. */
export function showImporting(): () => void {
  isShown = true;
  return () => (isShown = false);
}

/** Brings files in, all of them as drafts or each as it says; nothing of them is done while others come in. */
export async function bring(given: Named[] | Promise<Named[]>, asDrafts = false): Promise<void> {
  if (sending.isGoing) return;
  [problem, done] = [undefined, undefined];
  const unreadable: string[] = [];
  const ended = beginOwnWork({ name: doing, open: '/blog', percent: () => sending.percent, stop });
  try {
    const answer = await sending.send<Schemas['blog.ImportedPosts']>(`/api/blog/import${asDrafts ? '?drafts=true' : ''}`, () => zipOf(given, unreadable), 'application/zip');
    const refused = unreadable.map((name) => ({ name, reason: 'unreadable' as const }));
    done = { ...answer, refused: [...refused, ...answer.refused], refused_count: answer.refused_count + refused.length };
    if (!isShown) toast(t('blog.files.added', { count: done.added }));
  } catch (cause) {
    const error = asApiError(cause);
    if (error.code === 'ABORTED') return;
    problem = error;
    if (!isShown) toastProblem(`${t('blog.files.failed')} ${sentence(error)}`);
  } finally {
    ended();
  }
}

/** Calls off what is on its way. What has become a post stays one. */
export function stop(): void {
  sending.stop();
}

/** A zip as it is, and anything else as one; the names of files that cannot be read are added to `unreadable`. */
async function zipOf(given: Named[] | Promise<Named[]>, unreadable: string[]): Promise<Blob> {
  const files = await given;
  const [first] = files;
  // Nothing was dropped that is a file.
  if (!first) throw new ApiError('ABORTED', 0, '');
  if (first.file && files.length === 1 && /\.zip$/i.test(first.name)) return first.file;
  const { zip, unread } = await packed(files);
  unreadable.push(...unread);
  return zip;
}

forgetAtSignOut(() => {
  stop();
  [problem, done] = [undefined, undefined];
});
