import { expect, test } from 'vitest';
import { beginOwnWork, ownWork, type OwnWork } from './own-work.svelte';

const work = (name: string): OwnWork => ({ name: () => name, open: '/', percent: () => null, stop: () => undefined });
const names = () => ownWork().map(({ name }) => name());

test('what is under way is listed in its order until it ends, and what ends takes nothing else along', () => {
  const [first, second] = [beginOwnWork(work('first')), beginOwnWork(work('second'))];
  expect(names()).toEqual(['first', 'second']);
  first();
  expect(names()).toEqual(['second']);
  first();
  second();
  expect(names()).toEqual([]);
});
