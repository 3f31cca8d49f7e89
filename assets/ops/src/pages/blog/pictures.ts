/** Pictures of a post. */

/** What every browser shows; others are turned into these by who chooses them on a phone. */
export const SHOWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

const isPicture = ({ type }: File) => type.startsWith('image/');

/** The pictures among the files that were dropped, and the names of the others. */
export function apart(files: Iterable<File>): { pictures: File[]; others: string[] } {
  const all = [...files];
  return { pictures: all.filter(isPicture), others: all.filter((file) => !isPicture(file)).map(({ name }) => name) };
}

/** The pictures among what was pasted or dropped; none where there is text, too, which is what was meant then. */
export function picturesIn(data: DataTransfer | null): File[] {
  if (!data || data.types.includes('text/plain')) return [];
  return [...data.files].filter(isPicture);
}

/** `text` with a picture in a paragraph of its own where `at` is, and where its words begin and end. */
export function withPicture(text: string, at: number, words: string, address: string): { text: string; from: number; to: number } {
  const before = text.slice(0, at).trimEnd();
  const behind = text.slice(at).trimStart();
  const start = before === '' ? '' : `${before}\n\n`;
  const from = start.length + 2;
  return { text: `${start}![${words}](${address})\n${behind === '' ? '' : `\n${behind}`}`, from, to: from + words.length };
}
