/** Work that takes longer than one request: the server says that it goes on, and is asked again under the same key. */

import { newKey } from './api';
import type { Schemas } from './schema';

type UnderWay = Schemas['UnderWay'];

/** What comes of it, however often it has to be asked for. `ask` sends the request under the key that it is given. */
export async function soon<T extends object>(ask: (key: string) => Promise<T>, key = newKey()): Promise<Exclude<T, UnderWay>> {
  for (;;) {
    const answer = await ask(key);
    if (!isUnderWay(answer)) return answer as Exclude<T, UnderWay>;
  }
}

function isUnderWay(answer: object): answer is UnderWay {
  return 'under_way' in answer && answer.under_way === true;
}
