/** The one way to the server: typed calls that either give the answer or throw an `ApiError`. */

import { client } from './client';
import type { paths, Schemas } from './schema';
import { learnSentences, roomsOf, type LocalizedMessage } from './localized';
import type { Line } from './stream';

/**
 * Calls by path, typed by the routes of the door: `call(api.GET('/api/todos'))`.
 * Only `Accept`, `Content-Type` and with a `POST` an `Idempotency-Key` are sent; the session is a cookie that the browser
 * adds by itself. Each has a time limit, and a `POST` that was not answered is sent again under its first key for as long as
 * a short message about it may be read; what stands longer, such as a form, has an `Attempt` of its own.
 */
export const api = client<paths>(typeof location === 'undefined' ? 'http://localhost' : location.origin, send);

/**
 * What the server refused, or why it could not be reached. `code` is the contract's code, or one of `OFFLINE`, `SILENT`,
 * `UNANSWERED`, `UNREADABLE`, `FILE_MISSING`.
 */
export class ApiError extends Error {
  readonly code: string;
  /** The status of the answer; 0 when there was none. */
  readonly status: number;
  /** Refused fields by their path, only with `INVALID_INPUT`. */
  readonly fields: Record<string, string>;
  /** Seconds to wait before it makes sense to ask again; null when unknown. */
  readonly retry_after: number | null;
  /** How the server's sentence, and what it says of each refused field of whose, are said in the reader's language. */
  readonly said: Said;

  constructor(code: string, status: number, message: string, fields: Record<string, string> = {}, retry_after: number | null = null, said: Said = { fields: {} }) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.fields = fields;
    this.retry_after = retry_after;
    this.said = said;
  }
}

/** `owner` is the domain whose fields are refused. */
export type Said = { whole?: LocalizedMessage | null | undefined; fields: Record<string, LocalizedMessage>; owner?: string | null | undefined };

type Answered<T> = { data?: T; error?: unknown; response: Response };

/** Here a 401 means a wrong passphrase or an old link, not the end of a session. */
const ENTRANCES = ['/api/household/sign-in', '/api/household/setup'];

let whenSignedOut: () => void = () => undefined;

/** Names the one who is told that the session has ended (any 401 but that of the entrances themselves). */
export function onSignedOut(listener: () => void): void {
  whenSignedOut = listener;
}

/** The answer's data, or an `ApiError`: an error body never leaves this function as data. */
export async function call<T>(pending: Promise<Answered<T>>): Promise<T> {
  let answered: Answered<T>;
  try {
    answered = await pending;
  } catch (cause) {
    throw asApiError(cause);
  }
  const { data, error, response } = answered;
  if (response.ok && data !== undefined) return data;
  if (response.ok) throw new ApiError('UNREADABLE', response.status, '');
  const refused = refusal(response, error);
  // Whoever tells of it has the words at hand.
  const rooms = roomsOf([refused.said.whole, ...Object.values(refused.said.fields)]);
  if (rooms.size > 0) await learnSentences(rooms);
  if (refused.status === 401 && !ENTRANCES.includes(new URL(response.url).pathname)) whenSignedOut();
  throw refused;
}

/**
 * Whatever was thrown, as an `ApiError`: a network failure is `OFFLINE`, a limit that passed `SILENT`, an answer that is not
 * JSON `UNREADABLE`; what was to change something and got no answer is `UNANSWERED`, as it may have been done.
 */
export function asApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  if (cause instanceof SyntaxError) return new ApiError('UNREADABLE', 200, '');
  if (cause instanceof DOMException && cause.name === 'TimeoutError') return new ApiError('SILENT', 0, '');
  if (cause instanceof TypeError) return new ApiError('OFFLINE', 0, '');
  if (cause instanceof DOMException && cause.name === 'AbortError') return new ApiError('ABORTED', 0, '');
  return new ApiError('UNEXPECTED', 0, cause instanceof Error ? cause.message : String(cause));
}

/** Waits for a deletion. What is not there any more is gone as well: somebody else has deleted it. */
export async function orGone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (cause) {
    if (asApiError(cause).code !== 'NOT_FOUND') throw cause;
  }
}

/** Whether the server said that it did not do what it was asked: after any other failure nobody knows. */
export function isRefusal(cause: unknown): boolean {
  const { status, code } = asApiError(cause);
  return (status >= 400 && status < 500) || status === 507 || code === 'STORAGE_AWAY';
}

/** Whether the server was not reached, or nothing was heard of it. */
export function isAway({ code }: ApiError): boolean {
  return code === 'OFFLINE' || code === 'SILENT' || code === 'UNREACHABLE';
}

/** A fresh `Idempotency-Key`: whatever is asked again under it is done once. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The server ends a request by itself after 30 seconds; on a line that is not open nobody waits as long. */
const PATIENCE_MS = 40_000;
const LITTLE_PATIENCE_MS = 6_000;
/** By then nobody sees any more that no answer came: who asks for the same, asks for it anew. */
const SAID_MS = 60_000;
/** What a proxy says, in a page of its own, for a server that gave it no answer. */
const MAYBE_DONE = [502, 504];

let line: Line = 'connecting';
/** A proxy may let no events through: then their silence says nothing. */
let wasOpen = false;
/** Nothing was heard on the line since it was lost, however often it is tried again. */
let isLost = false;
/** A request was not answered in its time, and none since. */
let isMute = false;
let patience = new AbortController();
/** The keys of what was not answered lately, by all that was sent: when it is sent again, it is the same request. */
const unanswered = new Map<string, { key: string; until: number }>();

/** How the line to the server is: when nothing is heard on it any more, whatever waits for an answer waits in vain. */
export function setLine(next: Line): void {
  line = next;
  wasOpen ||= next === 'open';
  isLost = next === 'lost' || (isLost && next !== 'open');
  if (next !== 'lost' || !wasOpen) return;
  patience.abort(new DOMException('nothing is heard of the server', 'TimeoutError'));
  patience = new AbortController();
}

/** Whether the server was heard on its line and is not any more, or has let a request wait in vain. */
export function isSilent(): boolean {
  return (isLost && wasOpen) || (isMute && line !== 'open');
}

/**
 * Calls `silent` once a request would not be waited for any longer, counted from when `heard` was called last: for what takes as
 * long as it takes, such as a large file. While the server is heard on its line it is at work, however long that takes.
 */
export function untilSilent(silent: () => void): { heard: () => void; end: () => void } {
  let waited = 0;
  const timer = setInterval(() => {
    waited = line === 'open' ? 0 : waited + LITTLE_PATIENCE_MS;
    if (waited >= (isHeard() ? PATIENCE_MS : LITTLE_PATIENCE_MS)) silent();
  }, LITTLE_PATIENCE_MS);
  return { heard: () => (waited = -LITTLE_PATIENCE_MS), end: () => clearInterval(timer) };
}

function isHeard(): boolean {
  return line === 'open' || (line === 'lost' && !wasOpen);
}

async function send(request: Request): Promise<Response> {
  const limit = AbortSignal.any([request.signal, patience.signal, AbortSignal.timeout(isHeard() ? PATIENCE_MS : LITTLE_PATIENCE_MS)]);
  if (request.method === 'GET') return answerTo(request, limit);
  const name = await nameOf(request);
  const key = name === undefined ? undefined : keyOf(name);
  if (key) request.headers.set('Idempotency-Key', key);
  const keep = () => name !== undefined && key && unanswered.set(name, { key, until: Date.now() + SAID_MS });
  try {
    const response = await answerTo(request, limit);
    if (!MAYBE_DONE.includes(response.status)) return response;
    keep();
    if (response.headers.get('Content-Type')?.includes('json')) return response;
    throw new ApiError('UNANSWERED', response.status, '');
  } catch (cause) {
    keep();
    const { code } = asApiError(cause);
    throw code === 'OFFLINE' || code === 'SILENT' ? new ApiError('UNANSWERED', 0, '') : cause;
  }
}

async function answerTo(request: Request, signal: AbortSignal): Promise<Response> {
  try {
    const response = await globalThis.fetch(request, { signal });
    isMute = false;
    return response;
  } catch (cause) {
    isMute ||= asApiError(cause).code === 'SILENT';
    throw cause;
  }
}

/** All that tells this request from others; undefined where it needs no key, or has one. */
async function nameOf(request: Request): Promise<string | undefined> {
  const { pathname } = new URL(request.url);
  if (request.method !== 'POST' || ENTRANCES.includes(pathname) || request.headers.has('Idempotency-Key')) return undefined;
  return `${request.url} ${await request.clone().text()}`;
}

function keyOf(name: string): string {
  for (const [other, { until }] of unanswered) if (until <= Date.now()) unanswered.delete(other);
  const before = unanswered.get(name);
  unanswered.delete(name);
  return before?.key ?? newKey();
}

/** What an answer that is no success says, whoever gave it. */
export function refusal(response: Response, body: unknown): ApiError {
  const retryHeader = Number(response.headers.get('Retry-After'));
  const fallbackWait = retryHeader > 0 ? retryHeader : null;
  if (!isErrorBody(body)) return new ApiError(codeOf(response.status), response.status, '', {}, fallbackWait);
  return new ApiError(body.error, response.status, body.message, body.fields ?? {}, body.retry_after ?? fallbackWait, { whole: body.localized, fields: body.localized_fields ?? {}, owner: body.owner });
}

type ErrorBody = Schemas['ErrorBody'];

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false;
  const { error, message } = body as Record<string, unknown>;
  return typeof error === 'string' && typeof message === 'string';
}

/** For an answer of something between here and the server (a proxy's HTML page, say), which has no code of ours. */
function codeOf(status: number): string {
  if (status === 401) return 'UNAUTHORIZED';
  if (status === 404) return 'NOT_FOUND';
  if (status === 413) return 'TOO_LARGE';
  if (status === 429) return 'RATE_LIMITED';
  if (status === 507) return 'STORAGE_FULL';
  if (status === 502 || status === 503 || status === 504) return 'UNREACHABLE';
  return 'INTERNAL';
}
