/** The system's part of Today: what endangers the household's data, the work that runs, the newest backup. */

import { house } from '../../lib/house.svelte';
import { either, t } from '../../lib/i18n.svelte';
import { nextStep } from '../../lib/next-step';
import { dateTime } from '../../lib/say';
import type { Instant, Today } from '../../lib/schema';
import type { Need, TodayPart } from '../../lib/section';
import { localized } from '../../lib/localized';
import { areRead } from './damage';
import { makeSnapshot } from './make';

/** Where a proxy stands before it, the port of the door is not the page's. */
const USUAL_PORT = '8420';

export default {
  changes: ['jobs', 'backups', 'storage', 'settings'],
  needs: [ofTheHouse, ofBackups],
  steps: [
    {
      id: 'passphrase', name: 'system.first.passphrase', text: () => t('system.first.passphrase.text'),
      done: () => house()?.passphrase_set === true, act: () => ({ label: 'system.first.set', open: '/system/settings?passphrase=1' }),
    },
    {
      id: 'network', name: 'system.first.network', text: howToOpen,
      // Without a passphrase the door does not open any further.
      done: () => house()?.access !== 'loopback',
      act: ({ address_fixed_by }) => (address_fixed_by === null ? { label: 'system.first.change', open: '/system/settings?find=ops.listen' } : undefined),
    },
    { id: 'backup', name: 'system.first.backup', text: madeAtAll, act: () => ({ label: 'system.first.how', open: '/system/backups' }) },
  ],
  cards: [
    { id: 'tasks', name: 'system.today.tasks', card: () => import('./TasksCard.svelte') },
    { id: 'backup', name: 'system.today.backup', card: () => import('./BackupCard.svelte') },
  ],
} satisfies TodayPart;

/** How the door is opened further: on the page of the settings, or where its address was fixed. Without a passphrase it does not open. */
function howToOpen({ address_fixed_by: place }: Today): string {
  const port = location.port || USUAL_PORT;
  const said = place === null ? t('system.first.network.text', { port }) : t('system.first.network.text_fixed', { port, place });
  return house()?.passphrase_set ? said : `${said} ${t('system.first.network.passphrase')}`;
}

/** What is said of backups to somebody who begins. */
function madeAtAll({ backup_every_minutes }: Today): string {
  return backup_every_minutes === null ? t('system.first.backup.text_by_hand') : t('system.first.backup.text');
}

/** What is known of the other backups. */
function ofOthers(damaged: Today['damaged_backups'], asOf: Instant | null): string {
  if (asOf === null) return t('system.today.none_sound');
  return areRead(damaged, asOf) ? t('system.today.others_sound') : t('system.today.others_unread', { time: dateTime(asOf) });
}

function ofTheHouse({ storage_state, backups_switched_off_by, mails_in_folder, failing_providers, settings_problem, settings_problem_localized }: Today, now: number): Need[] {
  const found: Need[] = [];
  if (storage_state !== 'ok') {
    const text = t(`system.today.storage_${storage_state}`);
    found.push({ id: 'storage', rank: 0, urgent: true, name: 'system.today.need.storage', text, act: { open: '/system' } });
  }
  if (settings_problem !== null) {
    const text = localized(settings_problem_localized, settings_problem);
    found.push({ id: 'settings', rank: 20, urgent: true, name: 'system.today.need.settings', text, act: { open: '/system/settings' } });
  }
  if (backups_switched_off_by !== null) {
    found.push({
      id: 'by_hand', rank: 42, name: 'system.today.need.by_hand', text: t('system.today.by_hand'),
      act: { open: `/system/settings?find=${backups_switched_off_by}` },
    });
  }
  if (mails_in_folder > 0) {
    found.push({ id: 'mail', rank: 44, name: 'system.today.need.mail', text: t('system.today.mails_in_folder', { count: mails_in_folder }), act: { open: '/system/settings?find=mail.host' } });
  }
  for (const provider of failing_providers) {
    const text = provider.failure ? `${localized(provider.failure_localized, provider.failure)} ${nextStep(provider.failure_localized, provider.retry_at, now)}`.trimEnd() : t('system.today.provider_failing', { name: either(provider, 'title') });
    found.push({ id: `provider ${provider.name}`, rank: 50, name: 'system.today.need.providers', text, cause: `provider ${provider.name}`, act: { open: '/system/providers' } });
  }
  return found;
}

/** What is wrong with the backups; nothing is known of it where they could not be looked at. */
function ofBackups({ last_verified_backup, damaged_backups, sound_backups_as_of }: Today): Need[] {
  const found: Need[] = [];
  const [newest] = damaged_backups;
  if (newest) {
    // A newer sound one is all that it takes to be safe; the damaged one can be cleared away when there is time.
    const isSafe = last_verified_backup !== null && last_verified_backup.number > newest.number;
    const values = { time: dateTime(newest.created_at), kind: t(`system.today.kind.${newest.kind}`), count: damaged_backups.length };
    const said = damaged_backups.length === 1 ? t('system.today.damaged_backup', values) : t('system.today.damaged_backups', values);
    const text = `${said} ${ofOthers(damaged_backups, sound_backups_as_of)}`;
    const act: Need['act'] = isSafe
      ? { open: '/system/backups' }
      : { label: t('system.today.do.back_up'), run: () => makeSnapshot(), done: 'system.action.backed_up' };
    found.push({ id: 'damaged_backup', rank: isSafe ? 45 : 10, urgent: !isSafe, name: 'system.today.need.backup', text, act });
  }
  if (!last_verified_backup && !newest) {
    found.push({
      id: 'no_backup', rank: 40, name: 'system.today.backup', text: t('system.today.no_backup'),
      act: { label: t('system.today.do.backup'), run: () => makeSnapshot(), done: 'system.action.backed_up' },
    });
  }
  return found;
}
