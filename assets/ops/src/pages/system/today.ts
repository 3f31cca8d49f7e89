/** The system's part of Today: what endangers the household's data, the work that runs, the newest backup. */

import { api, call } from '../../lib/api';
import { t } from '../../lib/i18n.svelte';
import type { Today } from '../../lib/schema';
import type { Need, TodayPart } from '../../lib/section';
import BackupCard from './BackupCard.svelte';
import TasksCard from './TasksCard.svelte';

export default {
  changes: ['jobs', 'backups', 'storage'],
  needs,
  cards: [{ card: TasksCard }, { card: BackupCard }],
} satisfies TodayPart;

function needs({ storage_state, last_verified_backup, providers_failing }: Today): Need[] {
  const found: Need[] = [];
  if (storage_state !== 'ok') {
    const text = t(`system.today.storage_${storage_state}`);
    found.push({ id: 'storage', rank: 0, urgent: true, name: 'system.today.need.storage', text, act: { open: '/system' } });
  }
  if (!last_verified_backup) {
    const backUp = () => call(api.POST('/api/system/backups'));
    found.push({
      id: 'no_backup', rank: 40, name: 'system.today.backup', text: t('system.today.no_backup'),
      act: { label: t('system.today.do.backup'), run: backUp, done: 'system.action.backed_up' },
    });
  }
  if (providers_failing > 0) {
    const text = t('system.today.providers_failing', { count: providers_failing });
    found.push({ id: 'providers', rank: 50, name: 'system.today.need.providers', text, act: { open: '/system#providers' } });
  }
  return found;
}
