/** The pages that the navigation lists, in its order. */

import type { IconName } from './components/icons';
import type { MessageKey } from './i18n.svelte';

export type PageEntry = { href: '/' | '/lottery' | '/todos' | '/system'; label: MessageKey; icon: IconName; key: string };

export const PAGES: PageEntry[] = [
  { href: '/', label: 'shell.page.today', icon: 'today', key: 'g d' },
  { href: '/lottery', label: 'shell.page.lottery', icon: 'lottery', key: 'g l' },
  { href: '/todos', label: 'shell.page.todos', icon: 'todos', key: 'g t' },
  { href: '/system', label: 'shell.page.system', icon: 'system', key: 'g s' },
];

/** The entry of the page that an address belongs to; undefined for an address that is no page. */
export function pageOf(pathname: string): PageEntry | undefined {
  return PAGES.find(({ href }) => pathname === href || (href !== '/' && pathname.startsWith(`${href}/`)));
}
