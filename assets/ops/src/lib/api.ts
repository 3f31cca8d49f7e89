/** The one way to the server: typed calls that either give the answer or throw an `ApiError`. */

import createClient from 'openapi-fetch';
import type { paths } from './schema';

/**
 * Calls by path, typed by the routes of the door: `call(api.GET('/api/todos'))`.
 * Only `Accept`, `Content-Type` and where it is said `Idempotency-Key` are sent; the session is a cookie that the browser
 * adds by itself.
 */
export const api = createClient<paths>({
  baseUrl: typeof location === 'undefined' ? 'http://localhost' : location.origin,
  headers: { Accept: 'application/json' },
  credentials: 'same-origin',
  fetch: (request) => globalThis.fetch(request),
});

/** What the server refused, or why it could not be reached. `code` is the contract's code, or one of `OFFLINE`, `UNREADABLE`. */
export class ApiError extends Error {
  readonly code: string;
  /** The status of the answer; 0 when there was none. */
  readonly status: number;
  /** Refused fields by their path, only with `INVALID_INPUT`. */
  readonly fields: Record<string, string>;
  /** Seconds to wait before it makes sense to ask again; null when unknown. */
  readonly retry_after: number | null;

  constructor(code: string, status: number, message: string, fields: Record<string, string> = {}, retry_after: number | null = null) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.fields = fields;
    this.retry_after = retry_after;
  }
}

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
  if (refused.status === 401 && !ENTRANCES.includes(new URL(response.url).pathname)) whenSignedOut();
  throw refused;
}

/** Whatever was thrown, as an `ApiError`: a network failure is `OFFLINE`, an answer that is not JSON `UNREADABLE`. */
export function asApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  if (cause instanceof SyntaxError) return new ApiError('UNREADABLE', 200, '');
  if (cause instanceof TypeError) return new ApiError('OFFLINE', 0, '');
  if (cause instanceof DOMException && cause.name === 'AbortError') return new ApiError('ABORTED', 0, '');
  return new ApiError('UNEXPECTED', 0, cause instanceof Error ? cause.message : String(cause));
}

/** Whether the server said that it did not do what it was asked: after any other failure nobody knows. */
export function isRefusal(cause: unknown): boolean {
  const { status } = asApiError(cause);
  return (status >= 400 && status < 500) || status === 507;
}

/** A fresh `Idempotency-Key`: whatever is asked again under it is done once. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function refusal(response: Response, body: unknown): ApiError {
  const retryHeader = Number(response.headers.get('Retry-After'));
  const fallbackWait = retryHeader > 0 ? retryHeader : null;
  if (!isErrorBody(body)) return new ApiError(codeOf(response.status), response.status, '', {}, fallbackWait);
  return new ApiError(body.error, response.status, body.message, body.fields ?? {}, body.retry_after ?? fallbackWait);
}

type ErrorBody = { error: string; message: string; fields?: Record<string, string> | null; retry_after?: number | null };

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
