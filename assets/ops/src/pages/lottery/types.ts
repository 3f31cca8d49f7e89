/** The shapes of the lottery. Won are whole numbers; a ratio is relative to an average combination or to chance (1.0). */

import type { Schemas } from '../../lib/schema';

export type Analysis = Schemas['Analysis'];
export type Briefing = Schemas['Briefing'];
export type CombinedRecommendation = Schemas['CombinedRecommendation'];
export type Draw = Schemas['Draw'];
export type HistoryEntry = Schemas['HistoryEntry'];
export type LatestDraw = Schemas['LatestDraw'];
export type MethodPerformance = Schemas['MethodPerformance'];
export type Metrics = Schemas['Metrics'];
export type NextDraw = Schemas['NextDraw'];
export type NumberStatistics = Schemas['NumberStatistics'];
export type PairCount = Schemas['PairCount'];
export type Parameters = Schemas['Parameters'];
export type PersonalAnalysis = Schemas['Personal'];
export type Purchase = Schemas['Purchase'];
export type PurchaseStatistics = Schemas['PurchaseStatistics'];
export type Ratio = Schemas['Ratio'];
export type Recommendation = Schemas['Recommendation'];
export type Report = Schemas['Report'];
export type Review = Schemas['Review'];
export type Simulation = Schemas['Simulation'];
export type Statistics = Schemas['Statistics'];
export type TierMode = Schemas['TierMode'];
export type Versions = Schemas['Versions'];
