/** Notifications of this browser, where it has them and the household has allowed them. */

let state = $state<NotificationPermission>(canNotify() ? Notification.permission : 'denied');

/** Whether the browser knows notifications here: it does on the machine itself and over HTTPS. */
export function canNotify(): boolean {
  return typeof window !== 'undefined' && window.isSecureContext && 'Notification' in window;
}

/** Whether they are allowed, refused, or not asked about yet; reactive. */
export function notifyState(): NotificationPermission {
  return state;
}

/** Asks; browsers let this be asked in answer to a click only. */
export async function askToNotify(): Promise<void> {
  if (canNotify()) state = await Notification.requestPermission();
}

/** Shows one where it is allowed and nobody looks at the page; tabs that show the same replace each other's. */
export async function notify(title: string, tag: string, open: () => void): Promise<void> {
  if (!canNotify() || Notification.permission !== 'granted' || document.visibilityState === 'visible') return;
  try {
    const shown = new Notification(title, { tag, icon: '/icon.svg' });
    shown.onclick = () => {
      window.focus();
      shown.close();
      open();
    };
  } catch {
    // Phones show them only from a worker that stands behind the page.
    const worker = await navigator.serviceWorker?.getRegistration();
    await worker?.showNotification(title, { tag, icon: '/icon.svg' });
  }
}
