import { bindHandlers, type Client, RowRunner, type ServiceParts, type Shell, startListening } from '@cds/service';
import { callersOf } from './accounts/admission/callers.js';
import { auditTrailsOf } from './operating/audit/trails.js';
import type { GatewayConfig } from './config.js';
import { Library } from './docs/library.js';
import type { Edge } from './edge/edge.js';
import type { Endpoint } from './edge/endpoint.js';
import { errorAnswer } from './edge/http/answer.js';
import { RequestLog } from './edge/request-log.js';
import { type Route, Routes } from './edge/routes.js';
import { allowedHosts, GUEST_PATH, isPagePath, TOOLS_PATH } from './edge/steps/host.js';
import { eventAdminsOf } from './operating/event-admins.js';
import { onFeedEvents } from './events/feed/feed-followed.js';
import { republished } from './accounts/republished.js';
import { onTaskOpened } from './operating/task-opened.js';
import { FeedWatch } from './events/feed/feed-watch.js';
import { KeysInFeed } from './events/feed/keys-in-feed.js';
import { limitsReached } from './events/feed/limits-reached.js';
import { mandateFeed } from './events/feed/mandates-in-feed.js';
import { type Deps, handlers } from './handlers.js';
import { pendingKeyChanges } from './accounts/keys/pending-key-changes.js';
import { pendingRightEnds } from './accounts/rights/pending-right-ends.js';
import { mcpEndpoint } from './edge/mcp/endpoint.js';
import { guestEndpoint } from './edge/mcp/guest-endpoint.js';
import { rpcRefusal } from './edge/mcp/rpc.js';
import type { StandIn } from './edge/mcp/sdk.js';
import { isTokenPath, oauthError, oauthRoutes } from './accounts/oauth/routes.js';
import { OAuthServer } from './accounts/oauth/server.js';
import { avatarRoutes } from './pages/avatars.js';
import { connectRoutes } from './pages/connect/routes.js';
import { clientSignInPages } from './pages/connect/sign-in-pages.js';
import { creatorRoutes } from './pages/creator/creator-pages.js';
import { joinRoutes } from './pages/creator/join-pages.js';
import { developersRoutes } from './pages/developers/routes.js';
import { docsRoutes } from './pages/docs/docs-pages.js';
import { assetRoutes } from './pages/foundation/assets.js';
import { errorPage } from './pages/foundation/error-page.js';
import { type PayCalls, payRoutes } from './pages/pay/pay-pages.js';
import { opsSignInRoutes } from './pages/people/ops-sign-in-pages.js';
import { signInRoutes } from './pages/people/sign-in-pages.js';
import { signUpRoutes } from './pages/people/sign-up-pages.js';
import { pageRoutes } from './pages/public-pages.js';
import { railRoutes } from './pages/rail-events.js';
import { Mail, mailSweep } from './accounts/people/mail.js';
import { peopleModule } from './accounts/people/module.js';
import { printFirstLead, printing } from './accounts/people/printing.js';
import { Dependencies } from './operating/dependencies.js';
import { documentRoutes } from './public/documents.js';
import { Installation } from './operating/installation.js';
import { Readiness } from './operating/readiness.js';
import { restEndpoint } from './edge/rest/endpoint.js';
import { operationRoutes } from './edge/rest/routes.js';
import { endedRights } from './accounts/rights/ended-rights.js';
import { callerHolder } from './accounts/rights/hold-caller.js';
import { awaitPropagation } from './sandbox/move-clock.js';
import { faultTaker } from './sandbox/take-fault.js';
import { unfinishedResets } from './sandbox/unfinished-resets.js';
import { makeServer, type PublicEndpoints } from './edge/server.js';
import { Brands } from './accounts/brands/store/brands.js';
import { Claims } from './edge/store/claims.js';
import { ClockMoves } from './sandbox/store/clock-moves.js';
import { Faults } from './sandbox/store/faults.js';
import { Feed } from './events/feed/store/feed.js';
import { FeedStreams } from './events/feed/store/feed-streams.js';
import { Feedback } from './operating/store/feedback.js';
import { KeyAdmission } from './accounts/keys/store/key-admission.js';
import { KeyChanges } from './accounts/keys/store/key-changes.js';
import { KeyVersions } from './accounts/keys/store/key-versions.js';
import { Keys } from './accounts/keys/store/keys.js';
import { Mandates } from './accounts/keys/store/mandates.js';
import { OAuthRows } from './accounts/oauth/store/oauth-rows.js';
import { OperatorTokens } from './accounts/operators/store/operator-tokens.js';
import { RequestLogRows } from './edge/store/request-log.js';
import { Resets } from './sandbox/store/resets.js';
import { RightEnds } from './accounts/rights/store/right-ends.js';
import { ShownSecrets } from './accounts/keys/store/shown-secrets.js';
import { SwitchBoard } from './operating/store/switches.js';
import { Tasks } from './operating/store/tasks.js';
import { Usage } from './edge/store/usage.js';
import { WebhookDeliveries } from './events/webhooks/store/webhook-deliveries.js';
import { WebhookLanes } from './events/webhooks/store/webhook-lanes.js';
import { Webhooks } from './events/webhooks/store/webhooks.js';
import { Windows } from './edge/store/windows.js';
import { Workspaces } from './accounts/brands/store/workspaces.js';
import { WebhookFanOut } from './events/webhooks/fan-out.js';
import { madeWebhooks } from './events/webhooks/made-webhooks.js';
import { WebhookSender } from './events/webhooks/sender.js';

/** Wires the gateway: its collections, its own operations and its endpoints, which open once everything is ready. */
export const gatewayModule = async (shell: Shell<'gateway'>, config: GatewayConfig): Promise<ServiceParts> => {
  const deps = depsOf(shell, config);
  const edge = edgeOf(shell, config, deps);
  const development = shell.config.env !== 'production';
  const mail = mailOf(shell, config, deps);
  const work = { shell, ...deps.hooks, feed: deps.feed, people: deps.people };
  const sender = new WebhookSender(work);
  const fanOut = new WebhookFanOut(work, () => sender.wake());
  const keysInFeed = new KeysInFeed({ ...deps, store: shell.store }, new RowRunner(shell.store, shell.log));
  const mcp = mcpEndpoints(edge);
  const endpoints = await publicEndpoints(edge, shell.calls, mcp.routes, deps, development);
  const app = makeServer(edge, endpoints, config.CDS_TRUSTED_PROXIES);

  return {
    handlers,
    deps,
    consumers: [...onTaskOpened(deps.tasks), ...onFeedEvents(deps.feed)],
    republished: republished(deps.workspaces, deps.keys),
    openTask: (task) => deps.tasks.open(task),
    sweeps: [
      pendingKeyChanges(deps.keyChanges, new RowRunner(shell.store, shell.log)),
      pendingRightEnds(deps.rightEnds, new RowRunner(shell.store, shell.log)),
      unfinishedResets(deps.reset, new RowRunner(shell.store, shell.log)),
      ...(mail === null ? [] : [mailSweep(mail)]),
      fanOut.sweep(),
      sender.sweep(),
      keysInFeed.sweep(),
      endedRights({ ...deps, shell }, new RowRunner(shell.store, shell.log)),
    ],
    open: async () => {
      edge.requestLog.start();
      await startListening('HTTP', { host: config.CDS_HTTP_HOST, port: config.CDS_HTTP_PORT }, (at) => app.listen(at));
      await printFirstLead(deps.people, shell);
    },
    shut: async () => {
      deps.feedWatch.close();
      mail?.close();
      await Promise.all([fanOut.stop(), sender.stop(), keysInFeed.stop()]);
      await mcp.close();
      await app.close();
      await edge.requestLog.stop();
    },
  };
};

/** The delivery of mail; null when the mail relay fetches messages. */
const mailOf = (shell: Shell<'gateway'>, config: GatewayConfig, { people }: Deps): Mail | null =>
  config.CDS_SMTP_URL === ''
    ? null
    : new Mail(
        people.messages,
        { smtpUrl: config.CDS_SMTP_URL, from: config.CDS_MAIL_FROM, appUrl: config.CDS_APP_URL },
        shell.log,
      );

/** What the gateway's own operations depend on. */
export const depsOf = (shell: Shell<'gateway'>, config: GatewayConfig): Deps => {
  const { store, calls } = shell;
  const keys = new Keys(store);
  const workspaces = new Workspaces(store);
  const feed = new Feed(store);
  const mandates = new Mandates(store, mandateFeed(feed));
  const rightEnds = new RightEnds(store, keys, workspaces, calls);
  const keyChanges = new KeyChanges(store, keys, mandates, rightEnds);
  const faults = new Faults(store);
  const hooks = {
    webhooks: new Webhooks(store, config.CDS_SEAL_KEYS, config.CDS_WEBHOOK_ALLOW_LOOPBACK === '1'),
    deliveries: new WebhookDeliveries(store),
    lanes: new WebhookLanes(store),
  };
  const operatorTokens = new OperatorTokens(store, config.CDS_KEY_PEPPERS);
  const people = peopleModule(
    store,
    { appUrl: config.CDS_APP_URL, sealKeys: config.CDS_SEAL_KEYS, queued: printing(shell) },
    { workspaces, keys, mandates },
  );
  shell.holdCaller = callerHolder({ ...people, operatorTokens });
  return {
    shell,
    appUrl: config.CDS_APP_URL,
    keys,
    keyChanges,
    rightEnds,
    workspaces,
    keyVersions: new KeyVersions(store),
    shownSecrets: new ShownSecrets(store, config.CDS_SEAL_KEYS),
    usage: new Usage(store),
    requestLog: new RequestLogRows(store),
    brands: new Brands(store),
    oauthRows: new OAuthRows(store),
    operatorTokens,
    switches: new SwitchBoard(store),
    dependencies: new Dependencies({ bus: shell.bus, now: () => store.now(), busUp: () => shell.connection.up }),
    installation: new Installation({
      command: (command) => store.db.command(command),
      clockOffsetMs: () => store.clockOffsetMs(),
      bus: () => (shell.connection.up ? shell.connection.nats.info : undefined),
      keys: {
        CDS_KEY_PEPPERS: config.CDS_KEY_PEPPERS,
        CDS_SEAL_KEYS: config.CDS_SEAL_KEYS,
        CDS_OPS_TOKEN: config.CDS_OPS_TOKEN,
      },
      mail: {
        development: shell.config.env !== 'production',
        server: config.CDS_SMTP_URL !== '',
        relay: config.CDS_MAIL_RELAY_TOKEN !== '',
      },
    }),
    mandates,
    tasks: new Tasks(store),
    eventAdmins: eventAdminsOf(shell.events, calls),
    auditTrails: auditTrailsOf(shell.trail, calls),
    auditKey: shell.config.audit.key,
    jobs: shell.jobs,
    jobReports: calls,
    peppers: config.CDS_KEY_PEPPERS,
    faults,
    reset: {
      shell,
      workspaces,
      keyChanges,
      faults,
      feed,
      hooks,
      resets: new Resets(store),
      services: calls,
      clocks: calls,
    },
    hooks,
    madeWebhooks: madeWebhooks(hooks),
    feedback: new Feedback(store),
    feed,
    feedWatch: new FeedWatch((workspaces) => feed.headsOf(workspaces)),
    feedStreams: new FeedStreams(store),
    billing: calls,
    planning: calls,
    proposals: calls,
    catalog: calls,
    due: calls,
    people,
    awaitPropagation: (ctx) => awaitPropagation(ctx, calls),
    move: { shell, workspaces, keys, keyChanges, moves: new ClockMoves(store), clocks: calls, due: calls },
  };
};

/** What the steps depend on. */
export const edgeOf = (
  shell: Shell<'gateway'>,
  config: GatewayConfig,
  deps: Deps,
): Edge & { requestLog: RequestLog } => {
  const windows = new Windows(shell.store);
  return {
    appUrl: config.CDS_APP_URL,
    opsToken: config.CDS_OPS_TOKEN,
    // Links leave the system in one way.
    relayToken: config.CDS_SMTP_URL === '' ? config.CDS_MAIL_RELAY_TOKEN : '',
    hosts: allowedHosts(config.CDS_ALLOWED_HOSTS, config.CDS_APP_URL, [config.CDS_HTTP_PORT]),
    oauth: new OAuthServer(config.CDS_APP_URL, deps, shell),
    callers: callersOf({
      appUrl: config.CDS_APP_URL,
      opsToken: config.CDS_OPS_TOKEN,
      keys: new KeyAdmission(shell.store, deps.keys, config.CDS_KEY_PEPPERS),
      oauthRows: deps.oauthRows,
      operatorTokens: deps.operatorTokens,
      operators: deps.people.operators,
      admission: deps.people.admission,
      windows,
    }),
    windows,
    claims: new Claims(shell.store),
    quotas: deps.people.quotas,
    takeFault: faultTaker(deps.faults),
    switches: deps.switches,
    now: () => shell.store.now(),
    bus: shell.bus,
    creatorLinks: shell.calls,
    library: new Library(config.CDS_APP_URL),
    own: bindHandlers('gateway', handlers, deps),
    awaitPropagation: deps.awaitPropagation,
    requestLog: new RequestLog(
      shell.store,
      deps.requestLog,
      deps.usage,
      shell.log,
      limitsReached(deps.feed, shell.store),
    ),
    shell,
    log: shell.log,
  };
};

/** The MCP endpoints, for keys and for guests. Tests pass their own tools of keys. */
export const mcpEndpoints = (
  edge: Edge,
  standIn?: StandIn,
): { routes: Route<Endpoint>[]; close: () => Promise<void> } => {
  const keyed = mcpEndpoint(edge, standIn);
  const guests = guestEndpoint(edge);
  return {
    routes: [
      { path: TOOLS_PATH, method: 'POST', target: keyed.endpoint },
      { path: GUEST_PATH, method: 'POST', target: guests.endpoint },
    ],
    close: async () => {
      await keyed.close();
      await guests.close();
    },
  };
};

/** The operations of billing and catalog behind pages, avatars and rail callbacks. */
export type PageCalls = PayCalls & Client<'rail_event' | 'terms_current' | 'receipt_keys' | 'avatar_read'>;

/** Every path of the application. */
export const publicEndpoints = async (
  edge: Edge,
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
    ...payRoutes(edge, calls, keys),
    ...creatorRoutes(edge),
    ...railRoutes(edge, calls),
    ...pageRoutes(edge, calls),
    ...avatarRoutes(edge, calls),
    ...assetRoutes(),
    ...signInRoutes(edge),
    ...opsSignInRoutes(edge),
    ...signUpRoutes(edge),
    ...joinRoutes(edge),
    ...developersRoutes(edge, development),
    ...docsRoutes(edge),
    ...oauthRoutes(edge, clientSignInPages(edge)),
    ...connectRoutes(edge),
    ...(await documentRoutes(edge, calls, new Readiness(dependencies), serves)),
  ];
  return {
    routes: new Routes<Endpoint>(routes),
    errorsAt: (path) => {
      if (path === TOOLS_PATH || path === GUEST_PATH) return rpcRefusal;
      if (isTokenPath(path)) return oauthError;
      return isPagePath(path) ? errorPage : errorAnswer;
    },
  };
};
