/** Work that is asked for again and again, by what cannot be counted on to leave it time. */

/**
 * What is to be called to ask for `work`, and what ends it. From each call on `wait` milliseconds or more pass before it is
 * done, and at most twice as many, however often others ask meanwhile: no call pushes back what an earlier one has begun.
 */
export function askedAgain(work: () => void, wait: number): { ask: () => void; end: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onceMore = false;

  function ask(): void {
    if (timer !== undefined) {
      onceMore = true;
      return;
    }
    timer = setTimeout(() => {
      timer = undefined;
      if (onceMore) {
        onceMore = false;
        ask();
      }
      work();
    }, wait);
  }

  return { ask, end: () => clearTimeout(timer) };
}
