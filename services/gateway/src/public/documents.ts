import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { API_VERSION } from '@cds/contracts';
import type { Door } from '../app.js';
import { okAnswer } from '../edge/answer.js';
import { admitAddress } from '../edge/caller.js';
import { LIMIT_MS } from '../edge/context.js';
import type { Edge } from '../edge/edge.js';
import { windowStage } from '../edge/rate.js';
import type { Route } from '../rest/routes.js';
import type { Readiness } from './readiness.js';

const OPENAPI_FILE = join(import.meta.dirname, '../../../../libs/contracts/generated/openapi.json');

/** The methods of section 9: HEAD exists here and nowhere else (domain 4-doors 11). */
export const READ_METHODS = ['GET', 'HEAD'] as const;

const status = (code: 200 | 503) => ({
  ...okAnswer(code, JSON.stringify({ status: code === 200 ? 'ok' : 'unavailable' })),
  ...(code === 200 ? {} : { code: 'unavailable' }),
});

/** One path of section 9, by GET and HEAD. */
export const readRoutes = (path: string, answer: Door['answer']): Route<Door>[] =>
  READ_METHODS.map((method) => ({ path, method, target: { limitMs: LIMIT_MS.read, answer } }));

/** Public documents count against the client's address. */
export const countedDoor =
  (edge: Edge, answer: Door['answer']): Door['answer'] =>
  async (exchange, params) => {
    await admitAddress(edge, exchange);
    if (exchange.rate !== null) windowStage(exchange.rate, 'address');
    return answer(exchange, params);
  };

/** Health and documents (domain 4-doors 9): no credential, nothing but public facts. */
export const documentRoutes = async (edge: Edge, readiness: Readiness): Promise<Route<Door>[]> => {
  const openapi = await readFile(OPENAPI_FILE);
  const version = JSON.stringify({ version: API_VERSION });
  return [
    ...readRoutes('/livez', async () => status(200)),
    ...readRoutes('/readyz', async () => status((await readiness.ready()) ? 200 : 503)),
    ...readRoutes('/version', async () => okAnswer(200, version)),
    ...readRoutes('/openapi.json', countedDoor(edge, async () => okAnswer(200, openapi))),
  ];
};
