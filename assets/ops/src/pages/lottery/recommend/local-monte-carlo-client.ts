/** Starts the worker of the browser's own Monte Carlo and ends it when it has answered. */
import type { LocalRecommendation, LocalRequest } from './local-monte-carlo';

/** Longer than any phone needs for {@link LocalRequest.candidates}; after it the worker is ended. */
const LIMIT_MS = 15_000;

/** Scores the request in a worker. Rejects when the browser starts no worker or it gives no answer in time. */
export function recommendInBrowser(request: LocalRequest): Promise<LocalRecommendation> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./local-monte-carlo.worker.ts', import.meta.url), { type: 'module' });
    const end = () => {
      clearTimeout(timer);
      worker.terminate();
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error('the worker gave no answer in time'));
    }, LIMIT_MS);
    worker.addEventListener('message', (event: MessageEvent<LocalRecommendation>) => {
      end();
      resolve(event.data);
    });
    worker.addEventListener('error', (event) => {
      end();
      reject(new Error(event.message || 'the worker could not be started'));
    });
    worker.postMessage(request);
  });
}
