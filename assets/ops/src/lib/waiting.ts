/** Whether anything waits to be added. What sends it comes only where something does; it is `outbox.svelte.ts`, which names itself here. */

/** Where all of it stands on this device. */
export const STORED = 'hanok.additions';

let send: (() => Promise<void>) | undefined;

/** Names who sends it, once they are here. */
export function sendWaitingBy(sender: () => Promise<void>): void {
  send = sender;
}

/** Sends all that waits to be added; `fetchSender` brings who sends it, and is called only when they are needed and not here. */
export async function sendWaiting(fetchSender: () => Promise<unknown>): Promise<void> {
  if (!send && mayWait()) await fetchSender();
  await send?.();
}

function mayWait(): boolean {
  try {
    return (localStorage.getItem(STORED) ?? '[]') !== '[]';
  } catch {
    // Storage is switched off in this browser: what waits is where it was added.
    return false;
  }
}
