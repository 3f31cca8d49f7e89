/** Which files may be taken, before any of them is sent. */

export type FileBounds = {
  /** As of an `<input>`: `image/*, .pdf`; all without it. */
  accept?: string | undefined;
  /** Bytes of each; without a bound without it. */
  mostBytes?: number | undefined;
  /** How many at once. */
  most?: number | undefined;
};
export type Refusal = { name: string; bytes: number; reason: 'type' | 'size' | 'empty' | 'count' };

/** Parts files into those that may be taken and those that may not, with the first reason against each. */
export function sift<Of extends Pick<File, 'name' | 'size' | 'type'>>(files: readonly Of[], { accept, mostBytes, most }: FileBounds): { taken: Of[]; refused: Refusal[] } {
  const taken: Of[] = [];
  const refused: Refusal[] = [];
  for (const file of files) {
    const reason = !isAccepted(file, accept) ? 'type' : file.size === 0 ? 'empty' : mostBytes !== undefined && file.size > mostBytes ? 'size' : taken.length >= (most ?? Infinity) ? 'count' : undefined;
    if (reason) refused.push({ name: file.name, bytes: file.size, reason });
    else taken.push(file);
  }
  return { taken, refused };
}

/** Whether a file is of one of the types; some systems know the type of a file only by its ending. */
function isAccepted({ name, type }: Pick<File, 'name' | 'type'>, accept = ''): boolean {
  const wanted = accept.toLowerCase().split(',').map((one) => one.trim()).filter(Boolean);
  return wanted.length === 0 || wanted.some((one) => {
    if (one.startsWith('.')) return name.toLowerCase().endsWith(one);
    return one.endsWith('/*') ? type.startsWith(one.slice(0, -1)) : type === one;
  });
}

/** What can be said of all files of a kind: `image/*`. */
export const KINDS = ['image', 'audio', 'video'] as const;

/** The types as people call them, kinds by their name: `image/*, .pdf` is `images, PDF`. */
export function typesInWords(accept: string, nameOf: (kind: (typeof KINDS)[number]) => string): string {
  return accept.split(',').map((one) => one.trim()).map((type) => {
    const kind = KINDS.find((known) => type === `${known}/*`);
    return kind ? nameOf(kind) : type.replace(/^\.|^.*\//, '').toUpperCase();
  }).join(', ');
}
