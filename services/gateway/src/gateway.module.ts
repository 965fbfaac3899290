import { Library, type LinkOperation } from '@cds/pages';
import {
  bindHandlers,
  type Client,
  type Ctx,
  type DepsOf,
  type OneHandlerEach,
  RowRunner,
  type ServiceParts,
  type Shell,
  startListening,
} from '@cds/service';
import * as accountsOperations from './accounts/handlers.js';
import {
  accountsOf,
  accountsSweeps,
  callersFor,
  isTokenPath,
  mailOf,
  oauthError,
  oauthRoutes,
  printFirstLead,
  republished,
  signInServer,
} from './accounts/module.js';
import type { OAuthServer } from './accounts/port.js';
import type { GatewayConfig } from './config.js';
import {
  edgeOf,
  edgeStores,
  errorAnswer,
  GUEST_PATH,
  guestContext,
  guestStatus,
  isPagePath,
  makeServer,
  mcpEndpoints,
  operationRoutes,
  type PublicEndpoints,
  type RequestLog,
  Routes,
  restEndpoint,
  rpcRefusal,
} from './edge/module.js';
import { type Edge, type Endpoint, type Route, TOOLS_PATH } from './edge/port.js';
import * as eventsOperations from './events/handlers.js';
import { eventsOf, eventsWork, limitsReached, mandateFeed, onFeedEvents } from './events/module.js';
import * as operatingOperations from './operating/handlers.js';
import { onTaskOpened, operatingOf } from './operating/module.js';
import { Readiness } from './operating/port.js';
import { mountedPages } from './pages/mount.js';
import { clientSignInPages, refusedPage } from './pages/refused-page.js';
import { documentRoutes } from './public/documents.js';
import { railRoutes } from './public/rail-events.js';
import * as sandboxOperations from './sandbox/handlers.js';
import { awaitPropagation, faultTaker, sandboxOf, unfinishedResets } from './sandbox/module.js';

export const depsOf = (shell: Shell<'gateway'>, config: GatewayConfig) => {
  const { store, calls } = shell;
  const events = eventsOf(shell, config);
  const accounts = accountsOf(shell, config, mandateFeed(events.feed));
  return {
    shell,
    appUrl: config.CDS_APP_URL,
    ...edgeStores(store),
    ...events,
    ...accounts,
    ...sandboxOf(shell, accounts, events),
    ...operatingOf(shell, config),
    awaitPropagation: (ctx: Ctx) => awaitPropagation(ctx, calls),
    billing: calls,
    planning: calls,
    proposals: calls,
    catalog: calls,
  };
};
export type Deps = ReturnType<typeof depsOf>;

export const handlers = {
  guestContext,
  guestStatus,
  ...accountsOperations,
  ...eventsOperations,
  ...sandboxOperations,
  ...operatingOperations,
};

/** Wires the gateway: its modules, their operations and its endpoints, which open once everything is ready. */
export const gatewayModule = async (shell: Shell<'gateway'>, config: GatewayConfig): Promise<ServiceParts> => {
  const rows = () => new RowRunner(shell.store, shell.log);
  const deps = depsOf(shell, config);
  const edge = gatewayEdge(shell, config, deps);
  const development = shell.config.env !== 'production';
  const mail = mailOf(deps, shell, config);
  const background = eventsWork(deps, deps, shell, rows);
  const mcp = mcpEndpoints(edge);
  const endpoints = await publicEndpoints(edge, shell.calls, mcp.routes, deps, development);
  const app = makeServer(edge, endpoints, config.CDS_TRUSTED_PROXIES);

  return {
    handlers: handlers satisfies OneHandlerEach<'gateway', typeof handlers>,
    deps: deps satisfies DepsOf<typeof handlers>,
    consumers: [...onTaskOpened(deps.tasks), ...onFeedEvents(deps.feed)],
    republished: republished(deps.workspaces, deps.keys),
    openTask: (task) => deps.tasks.open(task),
    sweeps: [...accountsSweeps(deps, shell, mail, rows), unfinishedResets(deps.reset, rows()), ...background.sweeps],
    open: async () => {
      edge.requestLog.start();
      await startListening('HTTP', { host: config.CDS_HTTP_HOST, port: config.CDS_HTTP_PORT }, (at) => app.listen(at));
      await printFirstLead(deps.people, shell);
    },
    shut: async () => {
      deps.feedWatch.close();
      mail?.close();
      await background.stop();
      await mcp.close();
      await app.close();
      await edge.requestLog.stop();
    },
  };
};

export const gatewayEdge = (
  shell: Shell<'gateway'>,
  config: GatewayConfig,
  deps: Deps,
): Edge & { requestLog: RequestLog; oauth: OAuthServer } => ({
  ...edgeOf(shell, config, deps, {
    callers: callersFor(deps, shell, config, deps.windows),
    quotas: deps.people.quotas,
    takeFault: faultTaker(deps.faults),
    switches: deps.switches,
    library: new Library(config.CDS_APP_URL),
    own: bindHandlers('gateway', handlers, deps),
    awaitPropagation: deps.awaitPropagation,
    logged: limitsReached(deps.feed, shell.store),
  }),
  oauth: signInServer(deps, shell, config),
});

/** The operations of other services behind pages, documents and rail callbacks. */
export type PageCalls = Client<LinkOperation | 'rail_event' | 'receipt_keys'>;

export const publicEndpoints = async (
  edge: Edge & { oauth: OAuthServer },
  calls: PageCalls,
  mcp: readonly Route<Endpoint>[],
  { dependencies, keys }: Pick<Deps, 'dependencies' | 'keys'>,
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
    ...(await documentRoutes(edge, calls, new Readiness(dependencies), serves)),
  ];
  return {
    routes: new Routes<Endpoint>(routes),
    errorsAt: (path) => {
      if (path === TOOLS_PATH || path === GUEST_PATH) return rpcRefusal;
      if (isTokenPath(path)) return oauthError;
      return isPagePath(path) ? refusedPage : errorAnswer;
    },
  };
};
