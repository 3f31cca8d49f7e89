/** Keeps the focus where it was in a list whose rows change, come and go under it. */

/**
 * An attachment for what holds the list with its heading. When the button that has the focus goes, its row takes the
 * focus; when the row goes too, the one that has come in its place, else the last one; without rows, the heading.
 * A row is an `li` with a `tabindex`; where it has a checkbox, that takes the focus for it.
 */
export function keepFocus(around: HTMLElement): () => void {
  let left: { element: HTMLElement; row: HTMLElement; place: number } | undefined;
  const rows = () => [...around.querySelectorAll<HTMLElement>('li[tabindex]')].filter((row) => row.checkVisibility());

  const whenFocused = ({ target }: FocusEvent) => {
    const row = (target as HTMLElement).closest<HTMLElement>('li[tabindex]');
    left = row ? { element: target as HTMLElement, row, place: rows().indexOf(row) } : undefined;
  };
  // Where the focus is taken elsewhere, the element stays.
  const whenBlurred = ({ target }: FocusEvent) => queueMicrotask(() => {
    if ((target as HTMLElement).isConnected && left?.element === target) left = undefined;
  });
  const changes = new MutationObserver(() => {
    if (left?.row.isConnected) left.place = rows().indexOf(left.row);
    if (!left || left.element.isConnected) return;
    const { row, place } = left;
    left = undefined;
    if (document.activeElement !== document.body) return;
    const near = row.isConnected ? row : (rows()[place] ?? rows().at(-1));
    if (near) (near.querySelector<HTMLElement>('input[type=checkbox]') ?? near).focus();
    else focusHeading(around);
  });

  around.addEventListener('focusin', whenFocused);
  around.addEventListener('focusout', whenBlurred);
  changes.observe(around, { childList: true, subtree: true });
  return () => {
    around.removeEventListener('focusin', whenFocused);
    around.removeEventListener('focusout', whenBlurred);
    changes.disconnect();
  };
}

function focusHeading(around: HTMLElement): void {
  const heading = around.querySelector<HTMLElement>('h1, h2, h3');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus();
}
