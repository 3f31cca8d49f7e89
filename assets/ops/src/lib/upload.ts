/**
 * A file to the house in parts (tus 1.0.0): where the line breaks, it goes on from what has come in. What the file is called
 * afterwards is the hash of its bytes.
 */

import { ApiError, asApiError, refusal } from './api';
import { askBeforeLeaving } from './leaving';

const UPLOADS = '/api/uploads';
const VERSION = { 'Tus-Resumable': '1.0.0' };
/** Small enough to be told of, and for little to be sent twice. */
const PART = 1 << 20;
/** After a line that broke it is tried again, each time later; then it is given up. */
const AGAIN_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];

/** A file that has begun to come in: what is sent again of it goes on there. */
export type Begun = { place?: string };
/** Why a file that is to go on later was stopped: `controller.abort(PAUSED)`. */
export const PAUSED = new DOMException('paused', 'AbortError');

/**
 * Sends a file; `told` hears percent. Gives its name. Throws an `ApiError`, `ABORTED` when `signal` says so: then nothing of it
 * stays. With `begun` it goes on where that stands, and what has come in stays when it was `PAUSED` or the house was away.
 */
export async function upload(file: File, told: (percent: number) => void, signal: AbortSignal, begun?: Begun): Promise<string> {
  const stay = askBeforeLeaving();
  const at = begun ?? {};
  try {
    let offset = (at.place && (await farIn(at, signal))) || 0;
    if (!at.place) {
      const name = btoa(String.fromCharCode(...new TextEncoder().encode(file.name)));
      const created = await ask(UPLOADS, signal, { method: 'POST', headers: { 'Upload-Length': String(file.size), 'Upload-Metadata': `filename ${name}` } });
      at.place = new URL(created.headers.get('Location') ?? '', location.origin).pathname;
      offset = farOf(created);
    }
    while (offset < file.size) {
      offset = await goOn(at.place, file, offset, signal);
      told((offset * 100) / file.size);
    }
    const { file: named } = (await (await ask(at.place, signal, {})).json()) as { file: string | null };
    if (named === null) throw new ApiError('UNREADABLE', 200, '');
    return named;
  } catch (cause) {
    const error = asApiError(cause);
    const goesOn = begun && (signal.aborted ? signal.reason === PAUSED : mayPass(error));
    if (!goesOn) discard(at);
    throw error;
  } finally {
    stay();
  }
}

/** Throws away what has come in of a file. */
export function discard(begun: Begun): void {
  if (begun.place) void fetch(begun.place, { method: 'DELETE', headers: VERSION }).catch(() => undefined);
  delete begun.place;
}

/** How far it is; where the house knows nothing of it any more, it begins anew. */
async function farIn(begun: Begun, signal: AbortSignal): Promise<number> {
  try {
    return farOf(await ask(begun.place!, signal, { method: 'HEAD' }));
  } catch (cause) {
    if (![404, 410].includes(asApiError(cause).status)) throw cause;
    delete begun.place;
    return 0;
  }
}

/** Sends the next part; gives how far the file is then. Where the line broke, how far it is is asked first. */
async function goOn(place: string, file: File, from: number, signal: AbortSignal): Promise<number> {
  let offset = from;
  for (let times = 0; ; times += 1) {
    try {
      if (times > 0) offset = farOf(await ask(place, signal, { method: 'HEAD' }));
      if (offset >= file.size) return offset;
      const headers = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(offset) };
      return farOf(await ask(place, signal, { method: 'PATCH', headers, body: file.slice(offset, offset + PART) }));
    } catch (cause) {
      const error = asApiError(cause);
      const wait = AGAIN_MS[times];
      if (signal.aborted || wait === undefined || !mayPass(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** Whether it may go on later: somebody is still taking in the part before, or the house is not there just now. */
function mayPass({ status }: ApiError): boolean {
  return status === 0 || status === 409 || status >= 502;
}

async function ask(path: string, signal: AbortSignal, init: RequestInit): Promise<Response> {
  const answered = await fetch(path, { ...init, credentials: 'same-origin', signal, headers: { Accept: 'application/json', ...VERSION, ...init.headers } });
  if (answered.ok) return answered;
  throw refusal(answered, await answered.json().catch(() => undefined));
}

/** How many bytes are there. */
function farOf(answer: Response): number {
  const offset = Number(answer.headers.get('Upload-Offset') ?? NaN);
  if (!Number.isSafeInteger(offset)) throw new ApiError('UNREADABLE', answer.status, '');
  return offset;
}
