/** What a page calls itself in the window's title: the name of what it shows. */

let own = $state<string>();

/**
 * Names the page while the component that calls it during its set-up is shown: `pageTitle(() => plant.data?.title)`. Where
 * there is no name (yet), the page is called what its section says.
 */
export function pageTitle(name: () => string | undefined): void {
  $effect(() => {
    own = name() || undefined;
    return () => (own = undefined);
  });
}

/** What the page calls itself; reactive. */
export function ownTitle(): string | undefined {
  return own;
}
