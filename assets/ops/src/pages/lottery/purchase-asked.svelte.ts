/** The one purchase window of the lottery pages: any of them can ask for it, the layout shows it. */
import { Typed } from '../../lib/typed';
import { forgetAtSignOut } from '../../lib/unsent';
import type { ApiError } from '../../lib/api';
import type { Doubt } from './purchases/doubts';
import type { Purchase } from './types';

export interface PurchaseAsked {
  /** The draw it is for; the coming one when left out. */
  draw_no?: number;
  /** Games to begin with. */
  sets?: number[][];
  /** The record to change, instead of a new one. */
  purchase?: Purchase;
  /** Several games at once, by the tiers of the briefing. */
  by_tier?: boolean;
}

/** What is typed into the form of one purchase. */
export interface PurchaseTyped {
  draw: number | undefined;
  /** Whether the numbers are known. */
  kept: boolean;
  text: string;
  count: number | undefined;
  amount: number | undefined;
  prize: number | undefined;
  note: string;
  /** Of the next game on the grid. */
  tapped: number[];
}

/** The window with what was typed, as it is there again when the page is loaded anew. */
const kept = new Typed<{ asked?: PurchaseAsked; typed?: PurchaseTyped }>('purchase', {},
  ({ typed }) => [typed?.text.trim() || typed?.note.trim() || typed?.tapped.join(' ') || ''].filter(Boolean));
let asked = $state.raw<PurchaseAsked | undefined>(kept.value.asked);
let saved = $state(0);
forgetAtSignOut(closePurchase);

/** Opens the window. */
export function askPurchase(what: PurchaseAsked = {}): void {
  asked = what;
  kept.value = { asked };
}

/** What had been typed into the window before the page was loaded anew, when it is that one. */
export function typedBefore(from: PurchaseAsked): PurchaseTyped | undefined {
  return kept.value.asked === from ? kept.value.typed : undefined;
}

/** Keeps what is typed into the window. */
export function keepTyped(from: PurchaseAsked, typed: PurchaseTyped): void {
  if (asked === from) kept.value = { asked, typed };
}

/** What the window was asked for; undefined while it is closed. Reactive. */
export function purchaseAsked(): PurchaseAsked | undefined {
  return asked;
}

/** Closes the window. */
export function closePurchase(): void {
  asked = undefined;
  kept.value = {};
}

/** How many purchases were saved since the app was opened: a list that reads it is asked for again. Reactive. */
export function purchasesSaved(): number {
  return saved;
}

/** Tells the lists that a purchase was saved, and closes the window that asked for it, unless another is open by now. */
export function purchaseSaved(from?: PurchaseAsked): void {
  saved += 1;
  if (asked === from) closePurchase();
}

/** What the form in the window says of itself; the buttons stand below it, where they are always in sight. */
export interface Standing {
  readonly saving: boolean;
  /** It holds something that is nowhere else. */
  readonly changed: boolean;
  readonly ready: boolean;
  readonly games: number;
  /** What was asked back; what is typed anew is asked about anew. */
  readonly doubts: Doubt[];
  /** Why the last attempt to save it failed. */
  readonly problem: ApiError | undefined;
}
