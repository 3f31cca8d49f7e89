/** What is done once, however often it is asked for, as long as a form or a message says that no answer came. */

import { isRefusal, newKey } from './api';

/** The attempts of one form, or of one button with its message: it is gone with them. */
export class Attempt {
  #unanswered: { what: string; key: string } | undefined;

  /**
   * Sends it with the header that it is given, under a new key, or under that of the same `body` when nobody knows whether
   * that was done. Throws what `send` throws.
   */
  async send<T>(body: unknown, send: (header: { 'Idempotency-Key': string }) => Promise<T>): Promise<T> {
    const what = JSON.stringify(body) ?? '';
    const before = this.#unanswered?.what === what ? this.#unanswered : undefined;
    const attempt = before ?? { what, key: newKey() };
    try {
      const answer = await send({ 'Idempotency-Key': attempt.key });
      this.#unanswered = undefined;
      return answer;
    } catch (cause) {
      // What was not known stays so: a refusal is that of the second asking.
      this.#unanswered = before || !isRefusal(cause) ? attempt : undefined;
      throw cause;
    }
  }

  /** Whatever is sent next is something new. */
  begin(): void {
    this.#unanswered = undefined;
  }
}
