import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { askPurchase, closePurchase, purchaseAsked, purchaseSaved, purchasesSaved } from './purchase-asked.svelte';

test('an answer closes the window that asked for it, and no other that was opened meanwhile', () => {
  askPurchase({ draw_no: 1 });
  const first = purchaseAsked();
  closePurchase();
  askPurchase({ draw_no: 2 });
  const before = purchasesSaved();
  purchaseSaved(first);
  expect([purchaseAsked()?.draw_no, purchasesSaved()]).toEqual([2, before + 1]);
  purchaseSaved(purchaseAsked());
  expect(purchaseAsked()).toBeUndefined();
});

describe('what was typed and not saved', () => {
  const TYPED = { draw: 1245, kept: true, text: '1 2 3 4 5 6', count: 5, amount: undefined, prize: undefined, note: '', tapped: [] };
  const storage = new Map<string, string>();

  beforeEach(() => {
    storage.clear();
    vi.stubGlobal('sessionStorage', { getItem: (key: string) => storage.get(key) ?? null, setItem: (key: string, value: string) => storage.set(key, value), removeItem: (key: string) => storage.delete(key) });
  });
  afterEach(() => vi.unstubAllGlobals());

  /** The app as it begins at an address. */
  async function openedAt(address: string) {
    const { pathname, search } = new URL(address, 'http://house');
    vi.stubGlobal('location', { pathname, search, origin: 'http://house' });
    vi.resetModules();
    return import('./purchase-asked.svelte');
  }

  /** A window that is left with something typed into it. */
  async function leftAt(address: string, what = {}) {
    const page = await openedAt(address);
    page.askPurchase(what);
    page.keepTyped(page.purchaseAsked()!, TYPED, true);
  }

  test('is in its window again where its own page is loaded anew', async () => {
    await leftAt('/lottery/purchases');
    const page = await openedAt('/lottery/purchases');
    expect([page.typedBefore(page.purchaseAsked()!), page.purchaseDrafts()]).toEqual([TYPED, []]);
  });

  test.each(['/lottery', '/lottery/purchases?add=table'])('opens no window at %s, and is there when it is asked for again', async (address) => {
    await leftAt('/lottery/purchases');
    const page = await openedAt(address);
    expect([page.purchaseAsked(), page.purchaseDrafts().length]).toEqual([undefined, 1]);
    page.askPurchase();
    expect([page.typedBefore(page.purchaseAsked()!), page.purchaseDrafts()]).toEqual([TYPED, []]);
  });

  test('is offered where another window is asked for, and goes on beside what is typed there', async () => {
    await leftAt('/lottery/purchases');
    const page = await openedAt('/lottery');
    page.askPurchase({ sets: [[7, 8, 9, 10, 11, 12]] });
    page.keepTyped(page.purchaseAsked()!, { ...TYPED, text: '7 8 9 10 11 12' }, true);
    page.resumePurchase(page.purchaseDrafts()[0]!);
    expect(page.typedBefore(page.purchaseAsked()!)).toEqual(TYPED);
    expect(page.purchaseDrafts().map(({ typed }) => typed.text)).toEqual(['7 8 9 10 11 12']);
    page.closePurchase();
    const later = await openedAt('/lottery');
    expect(later.purchaseDrafts().map(({ typed }) => typed.text)).toEqual(['7 8 9 10 11 12']);
    later.dropPurchase(later.purchaseDrafts()[0]!);
    expect((await openedAt('/lottery')).purchaseDrafts()).toEqual([]);
  });

  test('is nothing where nobody typed', async () => {
    const page = await openedAt('/lottery/purchases');
    page.askPurchase({ sets: [[1, 2, 3, 4, 5, 6]] });
    page.keepTyped(page.purchaseAsked()!, TYPED, false);
    const later = await openedAt('/lottery');
    expect([later.purchaseAsked(), later.purchaseDrafts()]).toEqual([undefined, []]);
  });
});
