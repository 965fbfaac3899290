import { bindHandlers, type Client, RowRunner, type ServiceParts, type Shell } from '@cds/service';
import type { GatewayConfig } from './config.js';
import type { Edge } from './edge/edge.js';
import type { Endpoint } from './edge/endpoint.js';
import { errorAnswer } from './edge/http/answer.js';
import { type Route, Routes } from './edge/routes.js';
import { allowedHosts, isPagePath, TOOLS_PATH } from './edge/steps/host.js';
import { eventAdminsOf } from './events/event-admins.js';
import { republished } from './events/republished.js';
import { onTaskOpened } from './events/task-opened.js';
import { type Deps, handlers } from './handlers.js';
import { pendingKeyChanges } from './keys/pending-key-changes.js';
import { mcpEndpoint } from './mcp/endpoint.js';
import { rpcRefusal } from './mcp/rpc.js';
import { avatarRoutes } from './pages/avatars.js';
import { errorPage } from './pages/error-page.js';
import { type PayCalls, payRoutes } from './pages/pay-pages.js';
import { pageRoutes } from './pages/public-pages.js';
import { railRoutes } from './pages/rail-events.js';
import { documentRoutes } from './public/documents.js';
import { Readiness } from './public/readiness.js';
import { restEndpoint } from './rest/endpoint.js';
import { operationRoutes } from './rest/routes.js';
import { awaitPropagation } from './sandbox/move-clock.js';
import { makeServer, type PublicEndpoints } from './server.js';
import { Claims } from './store/claims.js';
import { ClockMoves } from './store/clock-moves.js';
import { Feedback } from './store/feedback.js';
import { KeyAdmission } from './store/key-admission.js';
import { KeyChanges } from './store/key-changes.js';
import { Keys } from './store/keys.js';
import { Mandates } from './store/mandates.js';
import { Operators } from './store/operators.js';
import { SwitchBoard } from './store/switches.js';
import { Tasks } from './store/tasks.js';
import { Windows } from './store/windows.js';
import { Workspaces } from './store/workspaces.js';

/** Wires the gateway: its collections, its own operations and its endpoints, which open once everything is ready. */
export const gatewayModule = async (shell: Shell<'gateway'>, config: GatewayConfig): Promise<ServiceParts> => {
  const deps = depsOf(shell, config);
  const edge = edgeOf(shell, config, deps);
  const development = shell.config.env !== 'production';
  const mcp = mcpEndpoint(edge);
  const endpoints = await publicEndpoints(edge, shell.calls, mcp.endpoint, () => shell.connection.up, development);
  const app = makeServer(edge, endpoints, config.CDS_TRUSTED_PROXIES);

  return {
    handlers,
    deps,
    consumers: onTaskOpened(deps.tasks),
    republished: republished(deps.workspaces, deps.keys),
    sweeps: [pendingKeyChanges(deps.keyChanges, new RowRunner(shell.store, shell.log))],
    open: async () => {
      await app.listen({ host: config.CDS_HTTP_HOST, port: config.CDS_HTTP_PORT });
    },
    shut: async () => {
      await mcp.close();
      await app.close();
    },
  };
};

/** What the gateway's own operations depend on. */
export const depsOf = (shell: Shell<'gateway'>, config: GatewayConfig): Deps => {
  const { store, calls } = shell;
  const keys = new Keys(store);
  const keyChanges = new KeyChanges(store, keys);
  const workspaces = new Workspaces(store);
  return {
    shell,
    keys,
    keyChanges,
    workspaces,
    mandates: new Mandates(store),
    operators: new Operators(store, config.CDS_KEY_PEPPERS),
    tasks: new Tasks(store),
    eventAdmins: eventAdminsOf(shell.events, calls),
    peppers: config.CDS_KEY_PEPPERS,
    feedback: new Feedback(store),
    billing: calls,
    planning: calls,
    due: calls,
    move: { shell, workspaces, keys, keyChanges, moves: new ClockMoves(store), clocks: calls },
  };
};

/** What the steps depend on. */
export const edgeOf = (shell: Shell<'gateway'>, config: GatewayConfig, deps: Deps): Edge => ({
  appUrl: config.CDS_APP_URL,
  opsToken: config.CDS_OPS_TOKEN,
  hosts: allowedHosts(config.CDS_ALLOWED_HOSTS, config.CDS_APP_URL, [config.CDS_HTTP_PORT]),
  keys: new KeyAdmission(shell.store, deps.keys, config.CDS_KEY_PEPPERS),
  operators: deps.operators,
  windows: new Windows(shell.store),
  claims: new Claims(shell.store),
  switches: new SwitchBoard(shell.store),
  now: () => shell.store.now(),
  bus: shell.bus,
  own: bindHandlers('gateway', handlers, deps),
  awaitPropagation: (ctx) => awaitPropagation(ctx, deps.move.clocks),
  shell,
  log: shell.log,
});

/** The operations of billing and catalog behind pages, avatars and rail callbacks. */
export type PageCalls = PayCalls & Client<'rail_event' | 'terms_current' | 'avatar_read'>;

/** Every path of the application. */
export const publicEndpoints = async (
  edge: Edge,
  calls: PageCalls,
  mcp: Endpoint,
  busUp: () => boolean,
  development: boolean,
): Promise<PublicEndpoints> => {
  const operations: Route<Endpoint>[] = operationRoutes(development).map((route) => ({
    ...route,
    target: restEndpoint(edge, route.target),
  }));
  return {
    routes: new Routes<Endpoint>([
      ...operations,
      { path: TOOLS_PATH, method: 'POST', target: mcp },
      ...payRoutes(edge, calls),
      ...railRoutes(edge, calls),
      ...pageRoutes(edge, calls),
      ...avatarRoutes(edge, calls),
      ...(await documentRoutes(edge, new Readiness(edge, busUp))),
    ]),
    errorsAt: (path) => (path === TOOLS_PATH ? rpcRefusal : isPagePath(path) ? errorPage : errorAnswer),
  };
};
