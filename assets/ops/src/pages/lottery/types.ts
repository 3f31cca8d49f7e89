/** The shapes of the lottery. Won are whole numbers; a ratio is relative to an average combination or to chance (1.0). */

import type { Schemas } from '../../lib/schema';

export type Analysis = Schemas['lottery.Analysis'];
export type Briefing = Schemas['lottery.ShownBriefing'];
export type CoWinnerCheck = Schemas['lottery.CoWinnerCheck'];
export type CombinedRecommendation = Schemas['lottery.CombinedRecommendation'];
export type Draw = Schemas['lottery.Draw'];
export type HistoryEntry = Schemas['lottery.HistoryEntry'];
export type LatestDraw = Schemas['lottery.LatestDraw'];
export type PurchaseMonths = Schemas['lottery.PurchaseMonths'];
export type ThisMonth = Schemas['lottery.ThisMonth'];
export type MethodPerformance = Schemas['lottery.MethodPerformance'];
export type Metrics = Schemas['lottery.Metrics'];
export type NextDraw = Schemas['lottery.NextDraw'];
export type NumberStatistics = Schemas['lottery.NumberStatistics'];
export type PairCount = Schemas['lottery.PairCount'];
export type Parameters = Schemas['lottery.Parameters'];
export type PersonalAnalysis = Schemas['lottery.Personal'];
export type Purchase = Schemas['lottery.Purchase'];
export type PurchaseStatistics = Schemas['lottery.PurchaseStatistics'];
export type Ratio = Schemas['lottery.Ratio'];
export type Recommendation = Schemas['lottery.Recommendation'];
export type Report = Schemas['lottery.ShownReport'];
export type Replaced = Schemas['lottery.Replaced'];
export type Review = Schemas['lottery.Review'];
export type Simulation = Schemas['lottery.Simulation'];
export type Statistics = Schemas['lottery.Statistics'];
export type TierMode = Schemas['lottery.TierMode'];
export type Versions = Schemas['lottery.Versions'];
