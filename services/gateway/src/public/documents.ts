import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileOf } from '@cds/pages';
import type { Client } from '@cds/service';
import {
  type Answer,
  contextOf,
  type Edge,
  type Endpoint,
  fileAnswer,
  JSON_TYPE,
  LIMIT_MS,
  okAnswer,
  publicRoutes,
  type Route,
} from '../edge/port.js';
import type { Readiness } from '../operating/port.js';
import { openapiAt } from './openapi.js';
import { versionDocument } from './version.js';

const OPENAPI_FILE = join(import.meta.dirname, '../../../../libs/contracts/generated/openapi.json');

const status = (ready: boolean): Answer =>
  ready
    ? okAnswer(200, JSON.stringify({ status: 'ok' }))
    : { ...okAnswer(503, JSON.stringify({ status: 'unavailable' }), { 'Retry-After': '1' }), code: 'unavailable' };

/** Launchers and clusters probe health often, so it is not counted. */
const health = (path: string, answer: () => Promise<Answer>): Route<Endpoint>[] =>
  ['GET', 'HEAD'].map((method) => ({ path, method, target: { limitMs: LIMIT_MS.read, answer } }));

/**
 * Receipt keys (docs/domain/orders.md#receipts). Whoever meets an unknown `kid` asks again, within the five minutes
 * too.
 */
const receiptKeys = (edge: Edge, billing: Client<'receipt_keys'>): Route<Endpoint>[] =>
  publicRoutes(edge, '/.well-known/cds-keys.json', async (exchange, _params, caller) => {
    const ctx = contextOf(exchange, caller, null, await edge.switches.current(), LIMIT_MS.read);
    return fileAnswer(exchange, fileOf(JSON_TYPE, JSON.stringify(await billing.receipt_keys(ctx, {}))));
  });

/** Health and documents (docs/domain/pages.md#health-and-documents): public, without a credential. */
export const documentRoutes = async (
  edge: Edge,
  billing: Client<'receipt_keys'>,
  readiness: Readiness,
  serves: (path: string) => boolean,
): Promise<Route<Endpoint>[]> => {
  const openapi = openapiAt(await readFile(OPENAPI_FILE, 'utf8'));
  const now = async () => ({ switches: await edge.switches.current(), networkNow: await edge.now() });
  const version = async () => JSON.stringify(versionDocument(edge.appUrl, await now(), serves));
  return [
    ...health('/livez', async () => status(true)),
    ...health('/readyz', async () => status(await readiness.ready())),
    ...health('/version', async () => okAnswer(200, await version())),
    ...publicRoutes(edge, '/openapi.json', async (exchange) => fileAnswer(exchange, openapi(await now()))),
    ...receiptKeys(edge, billing),
  ];
};
