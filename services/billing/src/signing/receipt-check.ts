import { Receipt } from '@cds/contracts';
import { compactVerify, importJWK } from 'jose';
import { canonicalReceipt, thumbprintOf } from '../domain/receipt-key.js';

/** So that nothing else such a key may sign passes for a receipt. */
export const RECEIPT_TYPE = 'cds-receipt';

type Claimed = { receipt: unknown; id: unknown; kind: unknown; at: unknown };
type PublicJwk = { kty: string; crv: string; x: string };

export type ReceiptReport = {
  /** None when the receipt is genuine under `key`. */
  problems: string[];
  receipt: Receipt | null;
  key: string | null;
};

/**
 * Checks a receipt offline: the answer of GET /receipts/{id}, or its JWS alone. Only keys in `published`, the document
 * of public keys, count; with null, the key that the receipt embeds does, which proves only that it is whole. Source:
 * docs/domain/orders.md#receipts.
 */
export const checkReceipt = async (text: string, published: unknown): Promise<ReceiptReport> => {
  const file = readFile(text);
  if (typeof file === 'string') return { problems: [file], receipt: null, key: null };
  const { jws, claimed } = file;

  const header = jsonOf(decoded(jws.split('.')[0] ?? ''));
  const payload = decoded(jws.split('.')[1] ?? '');
  const key = published === null ? ownKey(header) : publishedKey(header, published);
  const problems = [
    ...(isSpelledOnce(jws) ? [] : ['The text is not a compact JWS in its one spelling.']),
    ...(field(header, 'typ') === RECEIPT_TYPE ? [] : ['The header does not say that this is a receipt.']),
    ...(typeof key === 'string' ? [key] : await signatureProblems(jws, key)),
    ...payloadProblems(payload, claimed),
  ];
  return {
    problems,
    receipt: Receipt.safeParse(jsonOf(payload)).data ?? null,
    key: typeof key === 'string' ? null : thumbprintOf(key.x),
  };
};

const readFile = (text: string): { jws: string; claimed: Claimed | null } | string => {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return { jws: trimmed, claimed: null };
  const answer = jsonOf(trimmed);
  const jws = field(answer, 'jws');
  if (typeof jws !== 'string') return 'The file holds no receipt: it is JSON without a jws.';
  if (field(answer, 'receipt') === undefined) return { jws, claimed: null };
  const [receipt, id, kind, at] = ['receipt', 'id', 'kind', 'at'].map((name) => field(answer, name));
  return { jws, claimed: { receipt, id, kind, at } };
};

/** The header must name the key it embeds. */
const ownKey = (header: unknown): PublicJwk | string => {
  const key = publicJwk(field(header, 'jwk'));
  if (key === null) return 'The header holds no Ed25519 public key.';
  return field(header, 'kid') === thumbprintOf(key.x) ? key : 'The header names another key than it holds.';
};

const publishedKey = (header: unknown, published: unknown): PublicJwk | string => {
  const keys = field(published, 'keys');
  const kid = field(header, 'kid');
  const found = Array.isArray(keys) && kid !== undefined ? keys.find((one) => field(one, 'kid') === kid) : undefined;
  return publicJwk(found) ?? 'The receipt was signed with a key that is none of the published keys.';
};

const publicJwk = (value: unknown): PublicJwk | null => {
  const x = field(value, 'x');
  const isEd25519 = field(value, 'kty') === 'OKP' && field(value, 'crv') === 'Ed25519';
  return isEd25519 && typeof x === 'string' ? { kty: 'OKP', crv: 'Ed25519', x } : null;
};

const signatureProblems = async (jws: string, key: PublicJwk): Promise<string[]> => {
  try {
    await compactVerify(jws, await importJWK(key, 'EdDSA'), { algorithms: ['EdDSA'] });
    return [];
  } catch {
    return ['The signature does not hold.'];
  }
};

const payloadProblems = (payload: string, claimed: Claimed | null): string[] => {
  const signed = jsonOf(payload);
  const receipt = Receipt.safeParse(signed).data;
  if (receipt === undefined) return ['What is signed is not a receipt of a known form.'];
  if (canonicalOf(signed) !== payload) return ['What is signed is not canonical JSON.'];
  if (claimed === null) return [];
  const isSame =
    canonicalOf(claimed.receipt) === payload &&
    claimed.id === receipt.id &&
    claimed.kind === receipt.kind &&
    claimed.at === receipt.at;
  return isSame ? [] : ['The receipt beside the signature is not what is signed.'];
};

/** Several base64url texts decode to the same bytes; a receipt has one spelling. */
const isSpelledOnce = (jws: string): boolean => {
  const parts = jws.split('.');
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
};

const canonicalOf = (value: unknown): string | null => {
  try {
    return canonicalReceipt(value);
  } catch {
    return null;
  }
};

const decoded = (part: string): string => Buffer.from(part, 'base64url').toString('utf8');

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
