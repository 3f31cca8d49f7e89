import loading from 'virtual:messages';
import { afterEach, expect, test, vi } from 'vitest';
import { loadMessages, setLanguage, t } from './i18n.svelte';

afterEach(() => vi.unstubAllGlobals());

test('a page that is gone to while the language is switched speaks the new one, and goes on speaking it', async () => {
  vi.stubGlobal('document', { documentElement: {} });
  await loadMessages('shell');
  // What was read before is there at once, and before the sentences of the other language.
  await loading['todos.ko']?.();
  const switched = setLanguage('en');
  await loadMessages('todos');
  await switched;
  expect([t('todos.title'), t('shell.retry')]).toEqual(['Todos', 'Try again']);
  await setLanguage('ko');
  expect([t('todos.title'), t('shell.retry')]).toEqual(['할 일', '다시 시도']);
});
