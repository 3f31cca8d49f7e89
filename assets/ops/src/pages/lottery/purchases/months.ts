/** How many of the last months are shown together. */

import { lottery_purchase_months } from '../bounds';

/** More months than there have been draws in. */
export const EVERY = lottery_purchase_months.limit.maximum;
export const SPANS = [12, 24, EVERY] as const;
