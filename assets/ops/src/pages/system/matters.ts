/** How the house stands: what needs care in the system, counted as Today counts it, and with the jobs that fail. Pure. */

import type { Schemas, System } from '../../lib/schema';
import type { LocalizedMessage } from '../../lib/localized';

/** How many jobs stand on a page of them; what is asked for the first one is shared. */
export const JOBS_A_PAGE = 20;
/** How many mails. */
export const MAILS_A_PAGE = 20;

/** The check that is about the next start. */
const SETTINGS_CHECK = 'settings';

type Named = { title_ko: string; title_en: string };
/** One thing that needs care: where it is seen, and what it is. */
export type Matter = { page: 'overview' | 'backups' | 'providers' | 'jobs' | 'mail' | 'settings'; named?: Named };
/** What has come of what is judged by; undefined for what is not known. */
export type Known = {
  system: System | undefined;
  backups: Schemas['Backups'] | undefined;
  providers: Schemas['Providers'] | undefined;
  tasks: Schemas['Tasks'] | undefined;
  mails: Schemas['Mails'] | undefined;
};

/** Whether this was said because the provider gave nothing, or was left alone when it was to be asked. */
function isOf(provider: Named, said: LocalizedMessage | null | undefined): boolean {
  const [section, about] = said?.message_key.split('.') ?? [];
  const who = section === 'house' && about === 'upstream' ? said?.params['who'] : undefined;
  return typeof who === 'object' && !Array.isArray(who) && who.ko === provider.title_ko && who.en === provider.title_en;
}

/** Whether the next start cannot use the settings file. */
export function isSettingsFileUnfit({ health }: System): boolean {
  return health.checks.some(({ name, ok }) => name === SETTINGS_CHECK && !ok);
}

/** What needs care; undefined while that is not known, for what was not asked may be what fails. */
export function matters({ system, backups, providers, tasks, mails }: Known): Matter[] | undefined {
  if (!system || !backups || !providers || !tasks || !mails) return undefined;
  const found: Matter[] = [];
  const failed = system.health.checks.filter(({ ok, name }) => !ok && name !== SETTINGS_CHECK);
  // A storage that fails fails its checks.
  const broken = system.storage.state === 'ok' ? failed.length : 1;
  for (let count = 0; count < broken; count += 1) found.push({ page: 'overview' });
  if (system.last_verified_backup === null || backups.backups.some(({ state }) => state === 'damaged')) found.push({ page: 'backups' });
  const failing = providers.providers.filter(({ state }) => state === 'failing' || state === 'open');
  for (const provider of failing) found.push({ page: 'providers', named: provider });
  // One cause is one thing: a job that failed for its provider is mended with it.
  for (const task of tasks.failing) if (!failing.some((provider) => isOf(provider, task.localized))) found.push({ page: 'jobs', named: task });
  // However many: the page says of each what became of it.
  if (mails.counts.delivery_unknown + mails.counts.failed + mails.counts.held > 0) found.push({ page: 'mail' });
  if (isSettingsFileUnfit(system)) found.push({ page: 'settings' });
  return found;
}
