/** How often backups are made by themselves, in the language that is chosen now. */

import { t } from '../../lib/i18n.svelte';

const HOUR = 60;
const DAY = 24 * HOUR;

/** `매시간`, `12시간마다`, `2일마다`, `90분마다`: in the largest unit that says it exactly. */
export function every(minutes: number): string {
  if (minutes === DAY) return t('system.every.day');
  if (minutes === HOUR) return t('system.every.hour');
  if (minutes % DAY === 0) return t('system.every.days', { count: minutes / DAY });
  if (minutes % HOUR === 0) return t('system.every.hours', { count: minutes / HOUR });
  return t('system.every.minutes', { count: minutes });
}
