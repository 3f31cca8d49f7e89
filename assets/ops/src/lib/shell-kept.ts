/** The shell of the app that a service worker keeps, for opening it while the server is away. */

/** Keeps it, where a browser can: on a line that nobody listens to, or on this machine. */
export function keepShell(): void {
  if (import.meta.env.PROD && 'serviceWorker' in navigator) void keep().catch(() => undefined);
}

async function keep(): Promise<void> {
  await navigator.serviceWorker.register('/service-worker.js');
  const { active } = await navigator.serviceWorker.ready;
  // What came before there was anybody to keep it, and what is on its way since then.
  const observer = new PerformanceObserver((come) => {
    const files = come.getEntries().map(({ name }) => new URL(name).pathname).filter((path) => !path.startsWith('/api/'));
    if (files.length > 0) active?.postMessage(files);
  });
  observer.observe({ type: 'resource', buffered: true });
}

/** Whether the server has the same shell as this page. A page that was opened while it was away may be an older one. */
export async function isShellCurrent(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"]')?.getAttribute('src') ?? '';
  const answer = await fetch('/', { headers: { Accept: 'text/html' }, cache: 'no-cache', signal: AbortSignal.timeout(10_000) });
  return !answer.ok || (await answer.text()).includes(own);
}
