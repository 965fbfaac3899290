import { randomUUID } from 'node:crypto';
import type { Transport } from '@cds/contracts';
import { Deadline } from '@cds/service';
import type { FastifyRequest } from 'fastify';
import type { Rate } from '../steps/rate.js';
import { clientAddressOf } from './client-address.js';
import { requestIdOf } from './request-id.js';
import { type Trace, traceOf } from './trace.js';

export type RawRequest = FastifyRequest['raw'];

/** One request on its way through the edge: the mutable fields feed the answer's headers and the access line. */
export type Exchange = {
  readonly raw: RawRequest;
  readonly method: string;
  /** The host of a request target in absolute form, which then counts instead of the Host header (RFC 9112, 3.2.2). */
  readonly targetHost: string | null;
  readonly path: string;
  readonly query: string;
  readonly address: string;
  readonly requestId: string;
  readonly attemptId: string;
  readonly trace: Trace;
  readonly startedAt: number;
  deadline: Deadline;
  route: string;
  operation: string;
  keyId: string;
  /** Whom the request counts for in usage and request log, from when it was authenticated; null for no key. */
  account: Account | null;
  /** Set once the request was counted: from then on every answer carries the rate headers. */
  rate: Rate | null;
  cookies: string[];
  /** Set once a fault of the sandbox answers instead of the service. */
  simulated?: true;
};

/** The key that a request is logged under, the transport it came through, and database time. */
export type Account = { workspace: string; keyId: string; transport: Transport; at: Date };

/** How long a request may take before its endpoint is known, in milliseconds (docs/reliability.md#deadlines, reads). */
const FIRST_LIMIT_MS = 10_000;

export const headerValues = (raw: RawRequest, name: string): string[] => {
  const found: string[] = [];
  const { rawHeaders } = raw;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] ?? '';
    if (header.length === name.length && header.toLowerCase() === name) found.push(rawHeaders[at + 1] ?? '');
  }
  return found;
};

/** A request target without scheme and host, which proxies may put in front of the path. */
const targetOf = (sent: string): { host: string | null; target: string } => {
  if (sent.startsWith('/')) return { host: null, target: sent };
  const [, host, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(sent) ?? [];
  if (host === undefined) return { host: null, target: sent };
  return { host: host.toLowerCase(), target: rest.startsWith('/') ? rest : `/${rest}` };
};

export const openExchange = (request: FastifyRequest): Exchange => {
  const { raw, originalUrl } = request;
  const { host: targetHost, target } = targetOf(originalUrl);
  const mark = target.indexOf('?');
  return {
    raw,
    method: raw.method ?? 'GET',
    targetHost,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    address: clientAddressOf(request),
    requestId: requestIdOf(headerValues(raw, 'x-request-id')),
    attemptId: randomUUID(),
    trace: traceOf(headerValues(raw, 'traceparent')),
    startedAt: performance.now(),
    deadline: Deadline.in(FIRST_LIMIT_MS),
    route: '',
    operation: '',
    keyId: '',
    account: null,
    rate: null,
    cookies: [],
  };
};
