/** Whether anything waits to be added. What sends it (`additions.svelte.ts`) comes only where something does. */

/** Where all of it stands on this device. */
export const STORED = 'hanok.additions';

let send: (() => Promise<void>) | undefined;

/** Names who sends it, once they are here. */
export function sendWaitingBy(sender: () => Promise<void>): void {
  send = sender;
}

/** Sends all that waits to be added. */
export async function sendWaiting(): Promise<void> {
  if (!send && mayWait()) await import('./additions.svelte');
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
