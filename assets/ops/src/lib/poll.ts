/** Work that takes longer than one request: the server says that it goes on, and is asked again under the same key. */

import { newKey } from './api';
import type { Schemas } from './schema';

type InProgress = Schemas['InProgress'];

/** What comes of it, however often it has to be asked for. `ask` sends the request under the key that it is given. */
export async function poll<T extends object>(ask: (key: string) => Promise<T>, key = newKey()): Promise<Exclude<T, InProgress>> {
  for (;;) {
    const answer = await ask(key);
    if (!isInProgress(answer)) return answer as Exclude<T, InProgress>;
  }
}

function isInProgress(answer: object): answer is InProgress {
  return 'in_progress' in answer && answer.in_progress === true;
}
