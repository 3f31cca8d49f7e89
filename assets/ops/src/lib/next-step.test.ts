import { beforeAll, expect, test } from 'vitest';
import house from '../house/messages.json';
import shell from '../shell/messages.json';
import { inLanguage } from './catalogue';
import { loadMessages } from './i18n.svelte';
import { FAILURES, mayAskAgain, nextStep } from './next-step';

beforeAll(() => loadMessages('shell'));

const AT = '2026-11-20T13:55:00Z';
const before = Date.parse(AT) - 1;
const failed = (how: string) => ({ message_key: `house.upstream.${how}`, params: {} });

test('each way in which a provider fails has a next step of its own', () => {
  const said = Object.keys(house.work).filter((key) => key.startsWith('upstream.')).map((key) => key.slice('upstream.'.length));
  // That others of the house ask it too is none of its failures, and that it is left alone is no way of failing: it is told by when that ends.
  expect([...FAILURES, 'busy', 'left_alone'].sort()).toEqual(said.sort());
  expect(new Set(FAILURES.map((how) => nextStep(failed(how), null))).size).toBe(FAILURES.length);
});

test('who is left alone can be asked again from a time on, however they failed, and until then nothing else helps', () => {
  for (const how of FAILURES) {
    expect([nextStep(failed(how), AT, before), mayAskAgain(failed(how), AT, before)], how).toEqual(['22:55부터 다시 가져올 수 있습니다.', false]);
    expect(nextStep(failed(how), AT, before + 1), how).toBe(nextStep(failed(how), null));
    expect(mayAskAgain(failed(how), AT, before + 1), how).toBe(mayAskAgain(failed(how), null));
  }
});

test('the network is looked at only where it may be the cause', () => {
  for (const [language, network] of [['ko', '네트워크'], ['en', 'network']] as const) {
    const steps: Record<string, string> = inLanguage(shell.shell, language);
    const named = FAILURES.filter((how) => steps[`upstream.${how}`]?.includes(network));
    expect(named, language).toEqual(['cut_off', 'not_reached', 'timed_out']);
  }
});

test('who asks for fewer requests is not asked again at once', () => {
  expect(FAILURES.filter((how) => !mayAskAgain(failed(how), null))).toEqual(['fewer']);
  expect([mayAskAgain(null, null), nextStep(null, null), nextStep({ message_key: 'house.task.has_ended', params: {} }, null)]).toEqual([true, '', '']);
});
