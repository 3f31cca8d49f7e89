/**
 * What was asked of a simulation and what came of it: who looks elsewhere finds them again for as long as the app is open, and
 * nobody after a sign-out.
 */
import { forgetAtSignOut } from '../../../lib/unsent';
import type { Simulation } from '../types';

type Asked = { candidates: number | undefined; top: number | undefined; best: number | undefined; seedText: string };
const AT_FIRST: Asked = { candidates: 20_000, top: 100, best: 20, seedText: '' };

/** What stands in the form. */
export const asked = $state<Asked>({ ...AT_FIRST });
let result = $state.raw<Simulation>();

forgetAtSignOut(() => {
  Object.assign(asked, AT_FIRST);
  result = undefined;
});

/** What came of the last one; reactive. */
export function simulation(): Simulation | undefined {
  return result;
}

/** Keeps what came of it. */
export function keepSimulation(simulated: Simulation): void {
  result = simulated;
}
