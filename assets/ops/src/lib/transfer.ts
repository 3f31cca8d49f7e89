/** Files of any size to the server and from it. The browser itself keeps what comes; of what goes it says how much is gone. */

import { ApiError, asApiError, refusal, untilSilent } from './api';
import { askBeforeLeaving } from './leaving';

/** What a file that is being made is asked for again after, where the answer comes at once. */
const AGAIN_MS = 500;

/** Lets the browser fetch and keep a file under the name that the server gives it, as soon as the server has made it. */
export async function keepFile(path: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    // Its first byte alone: the rest is for the browser itself.
    const made = await fetch(path, { headers: { Range: 'bytes=0-0' }, credentials: 'same-origin', signal }).catch((cause: unknown) => {
      throw asApiError(cause);
    });
    if (made.status === 206) break;
    if (made.status !== 202) throw refusal(made, undefined);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  signal.throwIfAborted();
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}

/**
 * Sends a file of a type as the body; `told` hears percent. Throws an `ApiError`, `ABORTED` when `signal` says so, `SILENT` when
 * neither more of it goes nor anything is heard of the server. Until it is answered it goes with its tab, so the browser asks
 * before that is closed.
 */
export function sendFile<T>(path: string, file: Blob, told: (percent: number) => void, signal: AbortSignal, type = 'application/gzip'): Promise<T> {
  const sent = new Promise<T>((resolve, reject) => {
    // `fetch` does not say how much of a body is gone.
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.responseType = 'json';
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('Content-Type', type);
    const { heard, end } = untilSilent(() => {
      reject(new ApiError('SILENT', 0, ''));
      request.abort();
    });
    request.onloadend = end;
    request.upload.onprogress = ({ loaded, total }) => {
      heard();
      told((loaded * 100) / Math.max(total, 1));
    };
    request.onload = () => {
      const answer = new Response(null, { status: Math.max(request.status, 200), headers: { 'Retry-After': request.getResponseHeader('Retry-After') ?? '' } });
      if (answer.ok && request.response) resolve(request.response as T);
      else reject(refusal(answer, request.response));
    };
    request.onerror = () => reject(new ApiError('OFFLINE', 0, ''));
    request.onabort = () => reject(new ApiError('ABORTED', 0, ''));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
  return sent.finally(askBeforeLeaving());
}
