/** When backups were made, told so that no two of a list read alike. */

import type { Snapshot } from '../../lib/schema';

/** The words for each by its name: as precise as it takes, down to the second and, of those of one second, which of them it is. */
export function backupTimes(backups: Snapshot[], dateTime: (instant: string) => string): Map<string, string> {
  const toTheSecond = ({ created_at }: Snapshot) => `${dateTime(created_at)}:${String(new Date(created_at).getUTCSeconds()).padStart(2, '0')}`;
  const place = (backup: Snapshot) => backups.filter((other) => toTheSecond(other) === toTheSecond(backup) && other.number <= backup.number).length;
  const ways = [({ created_at }: Snapshot) => dateTime(created_at), toTheSecond, (backup: Snapshot) => `${toTheSecond(backup)} (${place(backup)})`];
  const said = new Map<string, string>();
  let alike = backups;
  for (const way of ways) {
    const words = alike.map(way);
    alike.forEach(({ name }, at) => said.set(name, words[at] ?? ''));
    alike = alike.filter((_, at) => words.indexOf(words[at] ?? '') !== words.lastIndexOf(words[at] ?? ''));
  }
  return said;
}
