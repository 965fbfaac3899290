import type { Readable } from 'node:stream';
import { type AppError, ERROR_CODES, type ErrorBody } from '@cds/contracts';
import { type SaidLimit, saidLimit } from '../domain/limits.js';
import { EdgeRefusal } from './refusal.js';

/** An answer before it is written. A service's bytes are forwarded unchanged. */
export type Answer = {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | string | Readable;
  /** For the access line: `ok` or the error's code, and its reason. */
  code: string;
  reason?: string;
  limit?: SaidLimit;
  /** Of a tool call: its own status, `_meta.status`, which usage counts instead of HTTP's. */
  callStatus?: number;
};

export const JSON_TYPE = 'application/json; charset=utf-8';

const JSON_HEADERS = { 'Content-Type': JSON_TYPE } as const;

export const okAnswer = (status: number, body: Uint8Array | string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { ...JSON_HEADERS, ...headers },
  body,
  code: 'ok',
});

const DEFAULT_RETRY_SECONDS = 1;

/** Retry-After in whole seconds, at least 1, when the same call may succeed later. */
export const retryHeaders = (error: ErrorBody, status: number): Record<string, string> => {
  const seconds = error.details?.['retry_after'];
  if (typeof seconds === 'number') return { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) };
  return status === 503 || error.code === 'in_progress' ? { 'Retry-After': String(DEFAULT_RETRY_SECONDS) } : {};
};

export const statusOf = (error: ErrorBody, status: number | undefined): number =>
  status ?? ERROR_CODES[error.code].status;

const reasonOf = (error: ErrorBody): { reason?: string } => {
  const reason = error.details?.['reason'];
  return typeof reason === 'string' ? { reason } : {};
};

export type Outcome = Pick<Answer, 'code' | 'reason' | 'limit' | 'callStatus'>;

export const outcomeOf = (error: ErrorBody): Outcome => ({
  code: error.code,
  ...reasonOf(error),
  ...(error.code === 'rate_limited' ? { limit: saidLimit(error.details ?? {}) } : {}),
});

/** An error in JSON, rendered from the one table (docs/domain/requests.md#every-request). */
export const errorAnswer = (
  error: ErrorBody,
  status: number | undefined,
  headers: Record<string, string> = {},
): Answer => {
  const final = statusOf(error, status);
  return {
    status: final,
    headers: { ...JSON_HEADERS, ...retryHeaders(error, final), ...headers },
    body: JSON.stringify({ error }),
    ...outcomeOf(error),
  };
};

export const headersOf = (error: AppError): Record<string, string> =>
  error instanceof EdgeRefusal ? error.headers : {};
