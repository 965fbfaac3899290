// The token of a creator's link (docs/domain/pages.md#creator-links). Nothing of it is stored, so no backup opens one.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type KeyRing, keysInOrder } from '@cds/service/key-ring';

/** The key in use makes links; every key checks those it made. */
export type LinkKeys = KeyRing<KeyObject>;

export type LinkOf = { id: string; number: number };

const TOKEN = /^cdl_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_([1-9]\d{0,5})_([A-Za-z0-9_-]{43})$/;

const macOf = (key: KeyObject, { id, number }: LinkOf): string =>
  createHmac('sha256', key).update(`creator-link|${id}|${number}`).digest('base64url');

/** `cdl_{id}_{number}_{mac}` under the key in use. */
export const linkTokenOf = (keys: LinkKeys, of: LinkOf): string => {
  const [[, key] = []] = keysInOrder(keys);
  if (key === undefined) throw new Error('no key is in use');
  return `cdl_${of.id}_${of.number}_${macOf(key, of)}`;
};

/** What a token opens; null unless one of the keys made it. */
export const readLinkToken = (keys: LinkKeys, token: string): LinkOf | null => {
  const [, id, digits, mac] = TOKEN.exec(token) ?? [];
  if (id === undefined || digits === undefined || mac === undefined) return null;
  const of = { id, number: Number(digits) };
  const sent = Buffer.from(mac);
  return keysInOrder(keys).some(([, key]) => timingSafeEqual(Buffer.from(macOf(key, of)), sent)) ? of : null;
};
