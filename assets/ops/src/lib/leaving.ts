/** While something is on its way that would be lost with this tab. */

/** Lets the browser ask before the tab is closed or loaded anew. Returns the end of it: no page is held longer than that. */
export function askBeforeLeaving(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
}
