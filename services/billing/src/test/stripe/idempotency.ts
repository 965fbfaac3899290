import { type Answer, keyInUse, keyOfAnother } from './answers.js';

/**
 * Stripe's idempotency keys: the answer of a call that ran is kept with its parameters, an error of Stripe's own too.
 * Another call under the key is an error, and so is one while the first runs. A call that did not run leaves its key
 * free.
 */
export class IdempotencyKeys {
  private readonly kept = new Map<string, { asked: string; answer: Answer | null }>();

  async once(key: string, asked: string, run: () => Promise<Answer>): Promise<Answer> {
    const earlier = this.kept.get(key);
    if (earlier !== undefined) {
      if (earlier.asked !== asked) return keyOfAnother();
      return earlier.answer === null ? keyInUse() : { ...earlier.answer, isReplayed: true };
    }
    this.kept.set(key, { asked, answer: null });
    const answer = await run();
    if (answer.ran) this.kept.set(key, { asked, answer });
    else this.kept.delete(key);
    return answer;
  }

  /** A day passes: Stripe forgets its keys. */
  forget(): void {
    this.kept.clear();
  }
}
