import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { API_VERSION } from '@cds/contracts';
import { LIMIT_MS } from '../edge/context.js';
import type { Edge } from '../edge/edge.js';
import type { Endpoint } from '../edge/endpoint.js';
import { type Answer, okAnswer } from '../edge/http/answer.js';
import type { Route } from '../edge/routes.js';
import { publicRoutes } from '../pages/public-pages.js';
import type { Readiness } from './readiness.js';

const OPENAPI_FILE = join(import.meta.dirname, '../../../../libs/contracts/generated/openapi.json');

const status = (ready: boolean): Answer =>
  ready
    ? okAnswer(200, JSON.stringify({ status: 'ok' }))
    : { ...okAnswer(503, JSON.stringify({ status: 'unavailable' }), { 'Retry-After': '1' }), code: 'unavailable' };

/** Launchers and clusters probe health often, so it is not counted. */
const health = (path: string, answer: () => Promise<Answer>): Route<Endpoint>[] =>
  ['GET', 'HEAD'].map((method) => ({ path, method, target: { limitMs: LIMIT_MS.read, answer } }));

/** Health and documents (docs/domain/access.md#health-and-documents): public, without a credential. */
export const documentRoutes = async (edge: Edge, readiness: Readiness): Promise<Route<Endpoint>[]> => {
  const openapi = await readFile(OPENAPI_FILE);
  const version = JSON.stringify({ version: API_VERSION });
  return [
    ...health('/livez', async () => status(true)),
    ...health('/readyz', async () => status(await readiness.ready())),
    ...health('/version', async () => okAnswer(200, version)),
    ...publicRoutes(edge, '/openapi.json', async () => okAnswer(200, openapi)),
  ];
};
