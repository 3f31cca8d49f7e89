/** The shapes of the screener. */

import type { Schemas } from '../../lib/schema';

export type Node = Schemas['screener.DescribedNode'];
export type Parameter = Schemas['screener.DescribedParameter'];
export type Saved = Schemas['screener.SavedSettings'];
export type Settings = Saved['settings'];
export type NodeSetting = Settings['nodes'][number];
export type Run = Schemas['screener.Run'];
export type RunWithResults = Schemas['screener.RunWithResults'];
export type StockResult = RunWithResults['results'][number];
export type NodeResult = StockResult['values'][number];
export type ImportedTable = Schemas['screener.ImportedTable'];
export type Chart = Schemas['screener.Chart'];
