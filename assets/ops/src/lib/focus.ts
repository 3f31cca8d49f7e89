/**
 * Keeps the focus near where it was when the element that has it goes: in a list, on the row that is next
 * (`keepFocusInList`); where a button gives way to something else and comes back, on the button that is there now
 * (`keepFocusOnButton`); on the row that comes back (`focusShown`). None takes it from anything else that has it.
 */

import { tick } from 'svelte';

/**
 * An attachment for what holds the list with its heading. When the button that has the focus goes, its row takes the
 * focus; when the row goes too, the one that has come in its place, else the last one; without rows, the heading, or that of the page.
 * A row is an `li` with a `tabindex`; where it has a checkbox, that takes the focus for it.
 */
export function keepFocusInList(around: HTMLElement): () => void {
  const rows = () => [...around.querySelectorAll<HTMLElement>('li[tabindex]')].filter((row) => row.checkVisibility());
  let row: HTMLElement | null = null;
  let place = 0;
  const find = () => {
    if (row?.isConnected) place = rows().indexOf(row);
  };

  return followFocus(around, {
    came(element) {
      row = element.closest<HTMLElement>('li[tabindex]');
      find();
    },
    changed: find,
    lost() {
      if (!row || document.activeElement !== document.body) return;
      const near = row.isConnected ? row : (rows()[place] ?? rows().at(-1));
      if (near) focusRow(near);
      else focusHeading(around);
    },
  });
}

/**
 * An attachment for what holds a button in whose place something else stands while its work goes on, or a window that it
 * opens: when what has the focus goes, the first button that is there now takes it.
 */
export function keepFocusOnButton(around: HTMLElement): () => void {
  return followFocus(around, {
    // A field that comes may take the focus itself.
    lost: () => setTimeout(() => {
      if (document.activeElement === document.body) around.querySelector<HTMLElement>('button')?.focus();
    }),
  });
}

/** Shows a row again by `show`; it takes the focus of the button that was pressed for it, when that has gone. */
export async function focusShown(show: () => void): Promise<void> {
  const before = new Set(rowsOfPage());
  show();
  await tick();
  const row = rowsOfPage().find((one) => !before.has(one));
  if (row && document.activeElement === document.body) focusRow(row);
}

function rowsOfPage(): HTMLElement[] {
  return typeof document === 'undefined' ? [] : [...document.querySelectorAll<HTMLElement>('main li[tabindex]')];
}

/** A row takes the focus: where it has a checkbox, that does for it. */
function focusRow(row: HTMLElement): void {
  (row.querySelector<HTMLElement>('input[type=checkbox]') ?? row).focus();
}

function followFocus(around: HTMLElement, told: {
  /** The focus is on this element now. */
  came?: (element: HTMLElement) => void;
  /** Something has come or gone. */
  changed?: () => void;
  /** The element that had the focus has gone. */
  lost: () => void;
}): () => void {
  let last: HTMLElement | undefined;
  const whenFocused = ({ target }: FocusEvent) => {
    last = target as HTMLElement;
    told.came?.(last);
  };
  // Where the focus is taken elsewhere, the element stays.
  const whenBlurred = ({ target }: FocusEvent) => queueMicrotask(() => {
    if ((target as HTMLElement).isConnected && last === target) last = undefined;
  });
  const changes = new MutationObserver(() => {
    told.changed?.();
    if (!last || last.isConnected) return;
    last = undefined;
    told.lost();
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
  const heading = around.querySelector<HTMLElement>('h1, h2, h3') ?? document.querySelector<HTMLElement>('main h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus();
}
