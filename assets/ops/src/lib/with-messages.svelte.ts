/** What is shown of an answer that brings sentences of the server. */

import { learnSentences, roomsOf, type LocalizedMessage } from './localized';

/**
 * What `data` gives, once the words of the messages that it `brings` have come: they would change under the reader's eyes, and
 * move what stands below. Reactive; for a component: `const shown = withMessages(() => list.data, ({ jobs }) => jobs.map(({ localized }) => localized))`.
 */
export function withMessages<T>(data: () => T | undefined, brings: (data: T) => (LocalizedMessage | null | undefined)[]): () => T | undefined {
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
