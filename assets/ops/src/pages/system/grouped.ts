/** A whole number as people read it; whatever else a setting may be stays as it is written. */

import { number } from '../../lib/say';

export const grouped = (value: string): string => (/^[1-9]\d{3,14}$/.test(value) ? number(Number(value)) : value);
