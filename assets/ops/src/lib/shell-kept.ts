/** Whether the server has the same shell as this page. A page that was opened while it was away may be an older one. */
export async function isShellCurrent(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"]')?.getAttribute('src') ?? '';
  const answer = await fetch('/', { headers: { Accept: 'text/html' }, cache: 'no-cache', signal: AbortSignal.timeout(10_000) });
  return !answer.ok || (await answer.text()).includes(own);
}
