/** The one purchase window of the lottery pages: any of them can ask for it, the layout shows it. */
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

let asked = $state.raw<PurchaseAsked>();
let saved = $state(0);

/** Opens the window. */
export function askPurchase(what: PurchaseAsked = {}): void {
  asked = what;
}

/** What the window was asked for; undefined while it is closed. Reactive. */
export function purchaseAsked(): PurchaseAsked | undefined {
  return asked;
}

/** Closes the window. */
export function closePurchase(): void {
  asked = undefined;
}

/** How many purchases were saved since the app was opened: a list that reads it is asked for again. Reactive. */
export function purchasesSaved(): number {
  return saved;
}

/** Tells the lists that a purchase was saved, and closes the window. */
export function purchaseSaved(): void {
  saved += 1;
  asked = undefined;
}
