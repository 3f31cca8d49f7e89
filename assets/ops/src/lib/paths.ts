/** Every route of the household door that the app calls, in the form that openapi-fetch reads. */

import type * as S from './types';

export type paths = {
  '/api/today': { get: Get<S.Today> };

  '/api/lotto/latest': { get: Get<S.Latest> };
  '/api/lotto/stats': { get: Get<S.Statistics> };
  '/api/lotto/stats/performance': { get: Get<S.Performance> };
  '/api/lotto/recommend': { get: Get<S.Recommendation, Partial<S.Parameters> & Seed> };
  '/api/lotto/recommend/combined': { get: Get<S.CombinedRecommendation, Seed> };
  '/api/lotto/recommend/combined/history': { get: Get<{ history: S.CombinedRecommendation[]; total: number }, Page> };
  '/api/lotto/best': { get: Get<{ picks: S.Pick[]; total: number }, Page> };
  '/api/lotto/analysis': { get: Get<S.Analysis> };
  '/api/lotto/analysis/personal': { get: Get<S.PersonalAnalysis> };
  '/api/lotto/sync': { post: Post<Accepted, never, 202> };
  '/api/lotto/draws': { get: Get<{ draws: S.Draw[]; total: number }, Page> };
  '/api/lotto/draws/{draw_no}': { get: Get<S.Draw, never, { draw_no: number }> };
  '/api/lotto/report': { post: Post<S.Report, never, 201> };
  '/api/lotto/report/latest': { get: Get<S.Report> };
  '/api/lotto/report/history': { get: Get<{ reports: S.ReportEntry[]; total: number }, Page> };
  '/api/lotto/report/{drw_no}': { get: Get<S.Report, never, { drw_no: number }> };
  '/api/lotto/briefing': { post: Post<S.Briefing, never, 201> };
  '/api/lotto/briefing/latest': { get: Get<S.Briefing> };
  '/api/lotto/curator/usage': { get: Get<S.CuratorUsage, { days?: number }> };
  '/api/lotto/review/latest': { get: Get<S.Review> };
  '/api/lotto/review/history': { get: Get<{ reviews: S.Review[]; total: number }, Page> };
  '/api/lotto/purchase': {
    get: Get<{ purchases: S.Purchase[]; total: number }, Page & { draw_no?: number; days?: number }>;
    post: Post<S.Purchase, S.PurchaseInput, 201>;
  };
  '/api/lotto/purchase/stats': { get: Get<S.PurchaseStatistics> };
  '/api/lotto/purchase/bulk': { post: Post<S.BulkPurchase, S.BulkInput, 201> };
  '/api/lotto/purchase/{id}': { put: Put<S.Purchase, S.PurchaseChanges, Id>; delete: Delete<Ok, Id> };
  '/api/history': { get: Get<{ history: S.HistoryEntry[]; total: number }, Page> };
  '/api/history/{id}': { delete: Delete<Ok, Id> };
  '/api/admin/simulate': {
    post: Post<S.Simulation, never, 200, { n_candidates?: number; top_k?: number; best_n?: number } & Seed>;
  };

  '/api/todos': { get: Get<{ todos: S.Todo[] }>; post: Post<S.Todo, S.NewTodo, 201> };
  '/api/todos/done': { delete: Delete<Ok & { removed: number }> };
  '/api/todos/{id}': { put: Put<S.Todo, S.TodoInput, Id>; delete: Delete<Ok, Id> };

  '/api/household': { get: Get<S.Household> };
  '/api/household/sign-in': { post: Post<Ok, { passphrase: string }> };
  '/api/household/sign-out': { post: Post<Ok> };
  '/api/household/setup': { post: Post<Ok, { token: string; passphrase: string }> };
  '/api/household/sessions': { get: Get<{ sessions: S.Session[] }> };
  '/api/household/sessions/{id}': { delete: Delete<Ok, Id> };

  '/api/system': { get: Get<S.System> };
  '/api/system/backups': { get: Get<{ backups: S.Snapshot[]; total: number }>; post: Post<S.Snapshot, never, 201> };
  '/api/system/backups/{name}/restore': {
    post: Post<{ ok: true; restored: string; kept_aside: string | null }, never, 200, never, { name: string }>;
  };
  '/api/system/providers': { get: Get<{ providers: S.Provider[] }> };
  '/api/system/jobs': { get: Get<S.Jobs, Page> };
  '/api/system/jobs/{id}/cancel': { post: Post<Ok, never, 200, never, { id: string }> };
  '/api/system/jobs/{id}/retry': { post: Post<Ok, never, 200, never, { id: string }> };
  '/api/system/schedule/{name}/run': { post: Post<Accepted, never, 202, never, { name: string }> };
  '/api/system/settings': { get: Get<S.Settings> };
};

type Page = { limit?: number; offset?: number };
type Seed = { seed?: number };
type Id = { id: number };
type Ok = { ok: true };
type Accepted = { task_id: string };

type Call<Answer, Query, Path, Body, Status extends number> = {
  parameters: { header?: never; cookie?: never } & Optional<'query', Query> & Required<'path', Path>;
  responses: { [Code in Status]: { headers: Record<string, unknown>; content: { 'application/json': Answer } } };
} & ([Body] extends [never] ? { requestBody?: never } : { requestBody: { content: { 'application/json': Body } } });
type Optional<Key extends string, T> = [T] extends [never] ? { [K in Key]?: never } : { [K in Key]?: T };
type Required<Key extends string, T> = [T] extends [never] ? { [K in Key]?: never } : { [K in Key]: T };

type Get<Answer, Query = never, Path = never> = Call<Answer, Query, Path, never, 200>;
type Post<Answer, Body = never, Status extends number = 200, Query = never, Path = never> = Call<Answer, Query, Path, Body, Status>;
type Put<Answer, Body, Path> = Call<Answer, never, Path, Body, 200>;
type Delete<Answer, Path = never> = Call<Answer, never, Path, never, 200>;
