/** What the system offers on every page. */

import { condition } from '../../lib/condition.svelte';
import type { Offers } from '../../lib/section';
import { makeSnapshot } from './make';

export default {
  warning: () => (condition()?.health.checks.some(({ ok }) => !ok) ? 'system.warning' : undefined),
  pageName: 'system.palette.overview',
  innerWords: { '': 'system.palette.overview.words', '/mail': 'system.palette.mail.words', '/settings': 'system.palette.settings.words' },
  actions: [
    { name: 'system.action.backup', icon: 'check', run: makeSnapshot, done: 'system.action.backed_up' },
    { name: 'system.action.restore', words: 'system.action.restore.words', icon: 'refresh', open: '/system/backups' },
    { name: 'system.action.download', words: 'system.action.download.words', icon: 'machine', open: '/system/backups' },
    { name: 'system.action.passphrase', words: 'system.action.passphrase.words', icon: 'settings', open: '/system/settings?passphrase=1' },
    { name: 'system.action.network', words: 'system.action.network.words', icon: 'machine', open: '/system/settings?find=ops.listen' },
  ],
} satisfies Offers;
