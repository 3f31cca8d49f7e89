/**
 * What a page that is gone has kept and could not send: it goes out by itself, wherever in the app somebody is. What does not
 * fit together with what others wrote meanwhile stays kept for whoever opens the post and chooses, and is told wherever that is.
 */

import { asApiError } from '../../lib/api';
import { fieldsOf, merged } from './fields';
import { keepingHere, keptHere, type KeptPost } from './keeping';
import { SERVER } from './server';
import type { Post } from './types';
import { tellWaiting } from './waiting.svelte';
import { Writing } from './writing.svelte';

/** The same as `sendKept`; what does not go out before somebody has chosen is told, once, and `open` leads to it. */
export async function sendAndTell(least: number, open: (address: string) => void, server = SERVER): Promise<void> {
  await sendKept(least, server);
  const left = keptHere(least);
  tellWaiting(left, await undecided(left, server), Writing.isHere, open);
}

/** Sends what was kept for so many milliseconds at least: what is kept for less may be on its way from another tab. */
export async function sendKept(least: number, server = SERVER): Promise<void> {
  for (const kept of keptHere(least)) {
    let next: KeptPost | undefined = kept;
    // Several pages may each have kept a new post.
    while (next && (await send(server, next)) && next.id === undefined) next = keptHere(least).find(({ id }) => id === undefined);
  }
}

/** Whether it is on the server now. */
async function send(server: typeof SERVER, kept: KeptPost): Promise<boolean> {
  const now = kept.id === undefined ? undefined : await server.find(kept.id).catch(() => undefined);
  if (isUndecided(kept, now)) return false;
  // The page that writes it, or has just been left, sends it itself.
  if (Writing.isHere(kept.id)) return false;
  const writing = new Writing(server, keepingHere(kept), now);
  await writing.end();
  return writing.standing === 'saved';
}

/** The names of those that do not go out before somebody has chosen; of what the server does not tell about, nobody knows it. */
export async function undecided(kept: KeptPost[], server = SERVER): Promise<Set<string>> {
  const asked = kept.map(async (one) => ((await waits(server, one)) ? [one.name] : []));
  return new Set((await Promise.all(asked)).flat());
}

async function waits(server: typeof SERVER, kept: KeptPost): Promise<boolean> {
  try {
    return kept.id !== undefined && isUndecided(kept, await server.find(kept.id));
  } catch (cause) {
    return asApiError(cause).code === 'NOT_FOUND';
  }
}

/** Whether it does not fit together with what the server has of its post `now`, or that is not there any more. */
function isUndecided({ base, fields }: KeptPost, now: Post | undefined): boolean {
  return base !== undefined && (!now || (now.version !== base.version && !merged(fieldsOf(base), fields, fieldsOf(now))));
}
