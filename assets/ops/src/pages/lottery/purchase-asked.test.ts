import { expect, test } from 'vitest';
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
