import { createHmac } from 'node:crypto';

// Signatures of Standard Webhooks, version 1 (docs/domain/events.md#webhooks).

/** How long an old secret still signs after a rotation. */
export const FORMER_MS = 24 * 3_600_000;

export const SECRET_BYTES = 32;

const PREFIX = 'whsec_';

export const secretText = (bytes: Buffer): string => `${PREFIX}${bytes.toString('base64')}`;

/** The header `webhook-signature`: one signature for each secret, over the id, the time and the body. */
export const signatureOf = (secrets: readonly string[], id: string, seconds: number, body: string): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
    })
    .join(' ');

export const signing = <S extends { ends_at: Date | null }>(secrets: readonly S[], now: Date): S[] =>
  secrets.filter(({ ends_at }) => ends_at === null || ends_at > now);
