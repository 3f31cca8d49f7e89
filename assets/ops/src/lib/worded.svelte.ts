/** What is shown of an answer that brings sentences of the server. */

import { learnSentences } from './spoken';

/**
 * What `data` gives, held back until the words of the sentences that it `brings` have come: they would change under the
 * reader's eyes, and move what stands below. Reactive; for a component.
 */
export function worded<T>(data: () => T | undefined, brings: (data: T) => boolean): () => T | undefined {
  let isLearnt = $state(false);
  const waits = () => {
    const now = data();
    return !isLearnt && now !== undefined && brings(now);
  };
  $effect(() => {
    if (waits()) void learnSentences().then(() => (isLearnt = true));
  });
  return () => (waits() ? undefined : data());
}
