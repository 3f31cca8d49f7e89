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
