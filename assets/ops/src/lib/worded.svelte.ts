/** What is shown of an answer that brings sentences of the server. */

import { learnSentences, roomsOf, type Spoken } from './spoken';

/**
 * What `data` gives, held back until the words of the sentences that it `brings` have come: they would change under the
 * reader's eyes, and move what stands below. Reactive; for a component.
 */
export function worded<T>(data: () => T | undefined, brings: (data: T) => (Spoken | null | undefined)[]): () => T | undefined {
  let learnt = $state.raw<string[]>([]);
  const missing = () => {
    const now = data();
    return now === undefined ? [] : [...roomsOf(brings(now))].filter((room) => !learnt.includes(room));
  };
  $effect(() => {
    const rooms = missing();
    if (rooms.length > 0) void learnSentences(rooms).then(() => (learnt = [...learnt, ...rooms]));
  });
  return () => (missing().length > 0 ? undefined : data());
}
