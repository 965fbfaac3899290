import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_TOLERANCE_MS } from './constants.js';

// A rail signs `${timestamp}.${raw}` with HMAC-SHA256 and sends `t=<seconds>,v1=<hex>`
// (docs/reliability.md#payment-events). There may be several v1, and several secrets while one is replaced.

const macOf = (secret: string, seconds: string, raw: Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`${seconds}.`).update(raw).digest();

export const signRaw = (secret: string, raw: Uint8Array, at: Date): string => {
  const seconds = String(Math.floor(at.getTime() / 1_000));
  return `t=${seconds},v1=${macOf(secret, seconds, raw).toString('hex')}`;
};

/** Within 300 s of `now`, in database time. */
export const isSigned = (secrets: readonly string[], raw: Uint8Array, header: string | null, now: Date): boolean => {
  const parts = (header ?? '').split(',').map((part) => part.trim().split('='));
  const seconds = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(seconds)) return false;
  if (Math.abs(Number(seconds) * 1_000 - now.getTime()) > SIGNATURE_TOLERANCE_MS) return false;

  const given = parts.filter(([name]) => name === 'v1').map(([, hex]) => Buffer.from(hex ?? '', 'hex'));
  return secrets.some((secret) => {
    const wanted = macOf(secret, seconds, raw);
    return given.some((mac) => mac.length === wanted.length && timingSafeEqual(mac, wanted));
  });
};
