/** Where a small menu opens: under its button, inside the window. */

const DISTANCE = 6;
const MARGIN = 8;

/**
 * For the `beforetoggle` of a `popover`: puts it under the anchor, its right edge on the anchor's, above it when there is
 * no room below. Popovers live in the top layer, where the page's own positions do not reach.
 */
export function placeUnder(anchor: Element | undefined, event: ToggleEvent): void {
  if (!anchor || event.newState !== 'open') return;
  const menu = event.currentTarget as HTMLElement;
  requestAnimationFrame(() => {
    const at = anchor.getBoundingClientRect();
    const width = menu.offsetWidth;
    const below = at.bottom + DISTANCE;
    const fits = below + menu.offsetHeight + MARGIN <= innerHeight;
    menu.style.left = `${Math.max(MARGIN, Math.min(at.right - width, innerWidth - width - MARGIN))}px`;
    menu.style.top = `${fits ? below : Math.max(MARGIN, at.top - DISTANCE - menu.offsetHeight)}px`;
  });
}
