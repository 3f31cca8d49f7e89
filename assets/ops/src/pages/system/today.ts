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

function needs({ storage_state, last_verified_backup, damaged_backups, providers_failing }: Today): Need[] {
  const found: Need[] = [];
  if (storage_state !== 'ok') {
    const text = t(`system.today.storage_${storage_state}`);
    found.push({ id: 'storage', rank: 0, urgent: true, name: 'system.today.need.storage', text, act: { open: '/system' } });
  }
  const backUp = () => call(api.POST('/api/system/backups'));
  if (damaged_backups.length > 0) {
    const [name = ''] = damaged_backups;
    const count = damaged_backups.length;
    const text = count === 1 ? t('system.today.damaged_backup', { name }) : t('system.today.damaged_backups', { count, name });
    found.push({ id: 'damaged_backup', rank: 10, urgent: true, name: 'system.today.need.backup', text, act: { open: '/system#backups' } });
  }
  if (!last_verified_backup) {
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
