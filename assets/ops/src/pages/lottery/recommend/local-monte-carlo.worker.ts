/** The worker that keeps the page alive while combinations are scored: one request in, one answer out. */
import { recommendLocally, type LocalRequest } from './local-monte-carlo';

addEventListener('message', (event: MessageEvent<LocalRequest>) => {
  postMessage(recommendLocally(event.data));
});
