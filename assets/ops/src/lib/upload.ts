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

/** Sends a file; `told` hears percent. Gives its name. Throws an `ApiError`, `ABORTED` when `signal` says so: then nothing of it stays. */
export async function upload(file: File, told: (percent: number) => void, signal: AbortSignal): Promise<string> {
  const stay = askBeforeLeaving();
  let place: string | undefined;
  try {
    const name = btoa(String.fromCharCode(...new TextEncoder().encode(file.name)));
    const begun = await ask(UPLOADS, signal, { method: 'POST', headers: { 'Upload-Length': String(file.size), 'Upload-Metadata': `filename ${name}` } });
    place = new URL(begun.headers.get('Location') ?? '', location.origin).pathname;
    let offset = farOf(begun);
    while (offset < file.size) {
      offset = await goOn(place, file, offset, signal);
      told((offset * 100) / file.size);
    }
    const { file: named } = (await (await ask(place, signal, {})).json()) as { file: string | null };
    if (named === null) throw new ApiError('UNREADABLE', 200, '');
    return named;
  } catch (cause) {
    if (place) void fetch(place, { method: 'DELETE', headers: VERSION }).catch(() => undefined);
    throw asApiError(cause);
  } finally {
    stay();
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
      // Somebody is still taking in the part before, or the house is not there just now.
      const mayPass = error.status === 0 || error.status === 409 || error.status >= 502;
      if (signal.aborted || wait === undefined || !mayPass) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
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
