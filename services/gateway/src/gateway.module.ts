import { Library } from '@cds/pages';
import {
  bindHandlers,
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
import type { GatewayConfig } from './config.js';
import { edgeOf, edgeStores, guestContext, guestStatus, makeServer, mcpEndpoints, Windows } from './edge/module.js';
import * as eventsOperations from './events/handlers.js';
import { eventsOf, eventsWork, onFeedEvents } from './events/module.js';
import { publicEndpoints } from './gateway.routes.js';
import * as operatingOperations from './operating/handlers.js';
import { onTaskOpened, operatingOf } from './operating/module.js';
import * as sandboxOperations from './sandbox/handlers.js';
import { sandboxOf, unfinishedResets } from './sandbox/module.js';

const handlers = {
  guestContext,
  guestStatus,
  ...accountsOperations,
  ...eventsOperations,
  ...sandboxOperations,
  ...operatingOperations,
};

/** The modules, each made with the ports of those that it needs. */
export const modulesOf = (shell: Shell<'gateway'>, config: GatewayConfig) => {
  const { store, calls } = shell;
  const events = eventsOf(shell, config);
  const windows = new Windows(shell.counters, store);
  const accounts = accountsOf(shell, config, windows, events.mandateFeed);
  const deps = {
    shell,
    windows,
    appUrl: config.CDS_APP_URL,
    ...edgeStores(store),
    ...events,
    ...accounts,
    ...sandboxOf(shell, accounts, events),
    ...operatingOf(shell, config),
    billing: calls,
    planning: calls,
    proposals: calls,
    catalog: calls,
  };
  const edge = edgeOf(shell, config, deps, {
    callers: callersFor(deps, config, windows),
    windows,
    quotas: deps.people.quotas,
    takeFault: deps.takeFault,
    switches: deps.switches,
    library: new Library(config.CDS_APP_URL),
    own: bindHandlers('gateway', handlers, deps),
    awaitPropagation: deps.awaitPropagation,
    logged: deps.limitsReached,
  });
  return { deps, edge: { ...edge, oauth: signInServer(deps, shell, config) } };
};
export type Deps = ReturnType<typeof modulesOf>['deps'];

/** What the process runs: the modules' operations, background work and endpoints, which open once all is ready. */
export const gatewayModule = async (shell: Shell<'gateway'>, config: GatewayConfig): Promise<ServiceParts> => {
  const rows = () => new RowRunner(shell.store, shell.log);
  const { deps, edge } = modulesOf(shell, config);
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
