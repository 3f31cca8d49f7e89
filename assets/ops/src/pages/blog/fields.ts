/** What was written of a post beside what the server has of it. Pure. */

import { dayOf } from '../../lib/format';
import type { Fields, Post } from './types';

export const FIELDS = ['title', 'tags', 'body', 'date', 'excerpt', 'status'] as const satisfies (keyof Fields)[];

/** A post before anything is written. */
export function blank(now: number): Fields {
  return { title: '', tags: [], body: '', date: dayOf(now), excerpt: '', status: 'draft' };
}

/** What can be written of a post as the server has it. */
export function fieldsOf({ title, tags, body, date, excerpt, excerpt_given, status }: Post): Fields {
  return { title, tags, body, date, excerpt: excerpt_given ? excerpt : '', status };
}

/** The fields of `written` that differ from `before`. */
export function differing(before: Fields, written: Fields): Partial<Fields> {
  const differ = FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(written[field]));
  return Object.fromEntries(differ.map((field) => [field, written[field]]));
}

/**
 * What two have written at the same time, each on `base`, in one: fields that one of them changed are that one's. Undefined
 * when both have changed a field, each otherwise.
 */
export function merged(base: Fields, mine: Fields, theirs: Fields): Fields | undefined {
  const [my, their] = [differing(base, mine), differing(base, theirs)];
  const clash = FIELDS.some((field) => field in my && field in their && JSON.stringify(my[field]) !== JSON.stringify(their[field]));
  return clash ? undefined : { ...theirs, ...my };
}

/** Tags as they are typed into one line, each once. */
export function tagsOf(line: string): string[] {
  const tags = line.split(/[,，#\n]/).map((tag) => tag.trim()).filter(Boolean);
  return tags.filter((tag, place) => tags.findIndex((other) => other.toLowerCase() === tag.toLowerCase()) === place);
}
