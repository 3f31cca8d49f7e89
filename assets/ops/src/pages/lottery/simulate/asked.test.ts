import { expect, test } from 'vitest';
import { forgetUnsent } from '../../../lib/unsent';
import type { Simulation } from '../types';
import { asked, keepSimulation, simulation } from './asked.svelte';

test('who signs out takes along what was asked of a simulation, the seed too, and what came of it', () => {
  const before = { ...asked };
  Object.assign(asked, { candidates: 5_000, top: 7, best: 3, seedText: '20261017' });
  keepSimulation({ seed: 20_261_017 } as Simulation);
  expect(simulation()?.seed).toBe(20_261_017);
  forgetUnsent();
  expect(simulation()).toBeUndefined();
  expect({ ...asked }).toEqual(before);
  expect(before.seedText).toBe('');
});
