/** The one purchase window of the lottery pages: any of them can ask for it, the layout shows it. */
import { draft } from '../../lib/draft';
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

/** What was begun and not saved, of a window that is not open any more. */
export interface PurchaseDraft {
  asked: PurchaseAsked;
  typed: PurchaseTyped;
}

type Kept = {
  asked?: PurchaseAsked;
  typed?: PurchaseTyped;
  /** Something was typed into it. */
  changed?: boolean;
  /** The address that it was opened at. */
  at?: string;
  drafts?: PurchaseDraft[];
};

const wordsOf = (typed: PurchaseTyped) => typed.text.trim() || typed.note.trim() || typed.tapped.join(' ');
/** The window with what was typed, and what was begun before it. */
const kept = draft<Kept>('purchase', {},
  ({ typed, drafts = [] }) => [...(typed ? [typed] : []), ...drafts.map((draft) => draft.typed)].map(wordsOf).filter(Boolean));
let drafts = $state.raw(draftsLeft());
/** It is open again where its own page is loaded anew; anywhere else it would stand in the way of what was asked for there. */
let asked = $state.raw(isHere() ? kept.value.asked : undefined);
let saved = $state(0);
keep(isHere() ? kept.value : undefined);
forgetAtSignOut(() => {
  drafts = [];
  closePurchase();
});

/** Opens the window, with what was typed into it when the same was asked for before. */
export function askPurchase(what: PurchaseAsked = {}): void {
  const before = drafts.find((draft) => isSame(draft.asked, what));
  show({ asked: what, typed: before?.typed });
}

/** What was begun in other windows and is not saved, oldest first; reactive. */
export function purchaseDrafts(): PurchaseDraft[] {
  return drafts;
}

/** Goes on with what was begun, in the place of what the window shows, which is kept in turn. */
export function resumePurchase(draft: PurchaseDraft): void {
  show(draft);
}

/** Gives up what was begun. */
export function dropPurchase(draft: PurchaseDraft): void {
  drafts = drafts.filter((other) => other !== draft);
  keep(kept.value);
}

/** What had been typed into the window before, when it is that one. */
export function typedBefore(from: PurchaseAsked): PurchaseTyped | undefined {
  return kept.value.asked === from ? kept.value.typed : undefined;
}

/** Keeps what is in the form of the window; `changed` says whether somebody has typed it. */
export function keepTyped(from: PurchaseAsked, typed: PurchaseTyped, changed: boolean): void {
  if (asked === from) keep({ ...kept.value, typed, changed });
}

/** What the window was asked for; undefined while it is closed. Reactive. */
export function purchaseAsked(): PurchaseAsked | undefined {
  return asked;
}

/** Closes the window, and gives up what was typed into it. */
export function closePurchase(): void {
  asked = undefined;
  keep(undefined);
}

function show({ asked: what, typed }: { asked: PurchaseAsked; typed: PurchaseTyped | undefined }): void {
  drafts = withCurrent(drafts).filter((draft) => !isSame(draft.asked, what));
  asked = what;
  keep({ asked, ...(typed && { typed, changed: true }), at: address() });
}

function keep(open: Kept | undefined): void {
  kept.value = { ...open, drafts };
}

/** What was begun, with that of a window whose page was left without a word. */
function draftsLeft(): PurchaseDraft[] {
  const left = kept.value.drafts ?? [];
  return isHere() ? left : withCurrent(left);
}

function withCurrent(others: PurchaseDraft[]): PurchaseDraft[] {
  const { asked: what, typed, changed } = kept.value;
  return what && typed && changed ? [...others.filter((draft) => !isSame(draft.asked, what)), { asked: what, typed }] : others;
}

function isHere(): boolean {
  return kept.value.asked !== undefined && kept.value.at === address();
}

function address(): string {
  return typeof location === 'undefined' ? '' : location.pathname + location.search;
}

/** Whether both ask for the same window: a record is known by its number, whatever it holds by now. */
function isSame(one: PurchaseAsked, other: PurchaseAsked): boolean {
  const name = ({ purchase, sets, draw_no, by_tier }: PurchaseAsked) => JSON.stringify([purchase?.id, sets, draw_no, by_tier]);
  return name(one) === name(other);
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
