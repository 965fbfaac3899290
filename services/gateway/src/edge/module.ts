import type { Shell, Store } from '@cds/service';
import type { GatewayConfig } from '../config.js';
import type { Edge } from './edge.js';
import type { Endpoint } from './endpoint.js';
import { mcpEndpoint } from './mcp/endpoint.js';
import { guestEndpoint } from './mcp/guest-endpoint.js';
import type { StandIn } from './mcp/sdk.js';
import { RequestLog } from './request-log.js';
import type { Route } from './routes.js';
import { allowedHosts, GUEST_PATH, TOOLS_PATH } from './steps/host.js';
import { Claims } from './store/claims.js';
import { type LogRow, RequestLogRows } from './store/request-log.js';
import { Usage } from './store/usage.js';

export { errorAnswer } from './http/answer.js';
export { rpcRefusal } from './mcp/rpc.js';
export { guestContext } from './operations/guest-context.js';
export { guestStatus } from './operations/guest-status.js';
export { RequestLog } from './request-log.js';
export { restEndpoint } from './rest/endpoint.js';
export { operationRoutes } from './rest/routes.js';
export { Routes } from './routes.js';
export { makeServer, type PublicEndpoints } from './server.js';
export { GUEST_PATH, isPagePath } from './steps/host.js';

export { Windows } from './store/windows.js';

/** What the edge keeps and others read: the request log and the usage of keys. */
export const edgeStores = (store: Store) => ({
  usage: new Usage(store),
  requestLog: new RequestLogRows(store),
});

export type EdgePorts = Pick<
  Edge,
  'callers' | 'quotas' | 'windows' | 'takeFault' | 'switches' | 'library' | 'own' | 'awaitPropagation'
> & {
  logged: (rows: readonly LogRow[]) => Promise<void>;
};

export const edgeOf = (
  shell: Shell<'gateway'>,
  config: GatewayConfig,
  { usage, requestLog }: ReturnType<typeof edgeStores>,
  { logged, ...ports }: EdgePorts,
): Edge & { requestLog: RequestLog } => ({
  ...ports,
  appUrl: config.CDS_APP_URL,
  opsToken: config.CDS_OPS_TOKEN,
  // Links leave the system in one way.
  relayToken: config.CDS_SMTP_URL === '' ? config.CDS_MAIL_RELAY_TOKEN : '',
  hosts: allowedHosts(config.CDS_ALLOWED_HOSTS, config.CDS_APP_URL, [config.CDS_HTTP_PORT]),
  claims: new Claims(shell.store),
  now: () => shell.store.now(),
  bus: shell.bus,
  creatorLinks: shell.calls,
  requestLog: new RequestLog(shell.store, requestLog, usage, shell.log, logged),
  shell,
  log: shell.log,
});

/** Several clients add a slash to the address of an MCP server. */
const withSlashToo = (route: Route<Endpoint>): Route<Endpoint>[] => [route, { ...route, path: `${route.path}/` }];

export const mcpEndpoints = (
  edge: Edge,
  standIn?: StandIn,
): { routes: Route<Endpoint>[]; close: () => Promise<void> } => {
  const keyed = mcpEndpoint(edge, standIn);
  const guests = guestEndpoint(edge);
  return {
    routes: [
      ...withSlashToo({ path: TOOLS_PATH, method: 'POST', target: keyed.endpoint }),
      ...withSlashToo({ path: GUEST_PATH, method: 'POST', target: guests.endpoint }),
    ],
    close: async () => {
      await keyed.close();
      await guests.close();
    },
  };
};
