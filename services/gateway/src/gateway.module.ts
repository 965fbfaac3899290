import { Library } from '@cds/pages';
import {
  bindHandlers,
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
  mailOf,
  printFirstLead,
  republished,
  signInServer,
} from './accounts/module.js';
import type { OAuthServer } from './accounts/port.js';
import type { GatewayConfig } from './config.js';
import {
  edgeOf,
  edgeStores,
  guestContext,
  guestStatus,
  makeServer,
  mcpEndpoints,
  type RequestLog,
  Windows,
} from './edge/module.js';
import type { Edge } from './edge/port.js';
import * as eventsOperations from './events/handlers.js';
import { eventsOf, eventsWork, limitsReached, mandateFeed, onFeedEvents } from './events/module.js';
import { publicEndpoints } from './gateway.routes.js';
import * as operatingOperations from './operating/handlers.js';
import { onTaskOpened, operatingOf } from './operating/module.js';
import * as sandboxOperations from './sandbox/handlers.js';
import { awaitPropagation, sandboxOf, unfinishedResets } from './sandbox/module.js';

export const depsOf = (shell: Shell<'gateway'>, config: GatewayConfig) => {
  const { store, calls } = shell;
  const windows = new Windows(shell.counters, store);
  const events = eventsOf(shell, config);
  const accounts = accountsOf(shell, config, windows, mandateFeed(events.feed));
  return {
    shell,
    windows,
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

const handlers = {
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
    callers: callersFor(deps, config, deps.windows),
    windows: deps.windows,
    quotas: deps.people.quotas,
    takeFault: deps.takeFault,
    switches: deps.switches,
    library: new Library(config.CDS_APP_URL),
    own: bindHandlers('gateway', handlers, deps),
    awaitPropagation: deps.awaitPropagation,
    logged: limitsReached(deps.feed, shell.store),
  }),
  oauth: signInServer(deps, shell, config),
});
