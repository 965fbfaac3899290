import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A form may be sent as long as an idle session lives (docs/domain/pages.md#forms-of-pages). */
const LIVES_S = 12 * 3_600;

/** A browser's clock plays no part, but two gateways may read the database's a moment apart. */
const AHEAD_S = 60;

const TOKEN = /^([0-9a-z]{1,9})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

export class FormTokens {
  constructor(private readonly secret: string) {}

  /** A token for one form of one visitor: the time, a nonce, and a MAC over both with visitor and form. */
  make(visitor: string, form: string, now: Date, nonce: string = randomBytes(16).toString('base64url')): string {
    const issued = Math.floor(now.getTime() / 1_000).toString(36);
    return `${issued}.${nonce}.${this.mac(visitor, form, issued, nonce)}`;
  }

  /** The Idempotency-Key behind a token; null for another visitor or form, and when it is too old. */
  keyOf(token: string, visitor: string, form: string, now: Date): string | null {
    const [, issued, nonce, mac] = TOKEN.exec(token) ?? [];
    if (issued === undefined || nonce === undefined || mac === undefined) return null;
    const expected = Buffer.from(this.mac(visitor, form, issued, nonce));
    if (!timingSafeEqual(expected, Buffer.from(mac))) return null;
    const ageS = now.getTime() / 1_000 - Number.parseInt(issued, 36);
    return ageS > LIVES_S || ageS < -AHEAD_S ? null : `form:${nonce}`;
  }

  private mac(visitor: string, form: string, issued: string, nonce: string): string {
    return createHmac('sha256', this.secret)
      .update(`form|${JSON.stringify([visitor, form, issued, nonce])}`)
      .digest('base64url');
  }
}
