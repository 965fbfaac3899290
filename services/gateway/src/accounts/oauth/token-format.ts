import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { random62, toBase62 } from '../keys/base62.js';
import type { Transport } from './resource.js';

/** What a token is for: `mcp` opens the MCP endpoint, `api` the REST API, `mcr` gets the next pair of tokens. */
type Kind = 'mcp' | 'api' | 'mcr';

/** Tokens of the two endpoints differ in their form, so that the wrong one is refused without a look-up. */
export const ACCESS_KIND = { mcp: 'mcp', rest: 'api' } as const satisfies Record<Transport, Kind>;

const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

const ACCESS_TOKEN = /^cds_(mcp|api)_[0-9A-Za-z]{49}$/;

const checksumOf = (head: string): string => toBase62(crc32(head), CHECKSUM_LENGTH);

/** A new token: `cds_mcp_`, `cds_api_` or `cds_mcr_`, 43 characters of secret and 6 of CRC-32 over all before it. */
export const newToken = (kind: Kind): string => {
  const head = `cds_${kind}_${random62(SECRET_LENGTH)}`;
  return head + checksumOf(head);
};

export const isTokenLike = (text: string, transport: Transport): boolean =>
  text.startsWith(`cds_${ACCESS_KIND[transport]}_`);

/** Whether an access token has its form and checksum; any other is refused without a database read. */
export const isAccessToken = (text: string): boolean =>
  ACCESS_TOKEN.test(text) && checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);

/** What a code or token is found by: the database never holds its text. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
