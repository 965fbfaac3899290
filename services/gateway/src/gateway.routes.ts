import type { LinkOperation } from '@cds/pages';
import type { Client } from '@cds/service';
import { isTokenPath, oauthError, oauthRoutes } from './accounts/module.js';
import type { Keys, OAuthServer } from './accounts/port.js';
import {
  errorAnswer,
  GUEST_PATH,
  isPagePath,
  operationRoutes,
  type PublicEndpoints,
  Routes,
  restEndpoint,
  rpcRefusal,
} from './edge/module.js';
import { type Edge, type Endpoint, type Route, TOOLS_PATH } from './edge/port.js';
import { Readiness } from './operating/port.js';
import { mountedPages } from './pages/mount.js';
import { clientSignInPages, refusedPage } from './pages/refused-page.js';
import { documentRoutes } from './public/documents.js';
import { railRoutes } from './public/rail-events.js';

/** The operations of other services behind pages, documents and rail callbacks. */
type PageCalls = Client<LinkOperation | 'rail_event' | 'receipt_keys'>;

export const publicEndpoints = async (
  edge: Edge & { oauth: OAuthServer },
  calls: PageCalls,
  mcp: readonly Route<Endpoint>[],
  { dependencies, keys }: { dependencies: ConstructorParameters<typeof Readiness>[0]; keys: Pick<Keys, 'byKeyId'> },
  development: boolean,
): Promise<PublicEndpoints> => {
  const operations: Route<Endpoint>[] = operationRoutes(development).map((route) => ({
    ...route,
    target: restEndpoint(edge, route.target),
  }));
  const serves = (path: string): boolean =>
    routes.some((route) => route.path === path || route.path.startsWith(`${path}/`));
  const routes: Route<Endpoint>[] = [
    ...operations,
    ...mcp,
    ...railRoutes(edge, calls),
    ...mountedPages({ edge, calls, keys }, development),
    ...oauthRoutes(edge, edge.oauth, clientSignInPages(edge)),
    ...(await documentRoutes(edge, calls, new Readiness(dependencies, edge.log), serves)),
  ];
  return {
    routes: new Routes<Endpoint>(routes),
    errorsAt: (path, astray) => {
      if (astray) return refusedPage;
      if (path === TOOLS_PATH || path === GUEST_PATH) return rpcRefusal;
      if (isTokenPath(path)) return oauthError;
      return isPagePath(path) ? refusedPage : errorAnswer;
    },
  };
};
