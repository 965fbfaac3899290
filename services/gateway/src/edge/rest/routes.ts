import { hasEndpoint, operations, pathOf, type RestOperation } from '@cds/contracts';
import type { Route } from '../routes.js';

/** The REST routes, one for each declaration with a path. Those below `/api/ops/dev` exist in development only. */
export const operationRoutes = (development: boolean): Route<RestOperation>[] =>
  operations
    .filter(hasEndpoint)
    .filter((operation) => development || !pathOf(operation).startsWith('/api/ops/dev/'))
    .map((operation) => ({ path: pathOf(operation), method: operation.rest.method, target: operation }));
