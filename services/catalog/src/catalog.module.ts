import {
  type AdvanceClock,
  clockSet,
  type DepsOf,
  type OneHandlerEach,
  openStore,
  RowRunner,
  type ServiceParts,
  type Shell,
  safeFetch,
} from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { CatalogConfig } from './config.js';
import { onContextChanged } from './events/context-changed.js';
import { onLineChanged } from './events/line-changed.js';
import { onOrderChanged } from './events/order-changed.js';
import { onPlanChanged } from './events/plan-changed.js';
import { republished } from './events/republished.js';
import * as handlers from './handlers.js';
import { AvatarQueue } from './identity/avatar-queue.js';
import { CollabTransaction } from './identity/collab-transaction.js';
import { DepartedNames } from './identity/departed.js';
import { EnumerationDetector } from './identity/enumeration-detector.js';
import { HandleLeakFilter, rowFilter } from './identity/handle-leak-filter.js';
import { Identities } from './identity/identities.js';
import { IdentityChores } from './identity/identity-chores.js';
import { ImportTransaction } from './identity/import-transaction.js';
import { KnownHandles } from './identity/known-handles.js';
import { PostEvidenceRows } from './identity/post-evidence.js';
import { Uploads } from './identity/uploads.js';
import { XChannel } from './imports/channel/x-channel.js';
import { ImportProcess } from './imports/import-process.js';
import { Importer } from './imports/importer.js';
import { KnownCreators } from './imports/known-creators.js';
import { NetworkLoader } from './imports/loader.js';
import { Refresher } from './imports/refresher.js';
import { LaunchPropagation } from './launches/launch-propagation.js';
import { OperatorCreatorService } from './operators/operator-creator-service.js';
import { AvatarFetcher } from './pictures/avatar-fetcher.js';
import { avatarsAt } from './present/avatar.js';
import { Audiences } from './snapshot/audiences.js';
import { CandidatePages } from './snapshot/candidate-pages.js';
import { NetworkMemory } from './snapshot/memory.js';
import { NetworkReplicator } from './snapshot/replicator.js';
import { Avatars } from './store/avatars.js';
import { ChannelRefresh } from './store/channel-refresh.js';
import { Contexts } from './store/contexts.js';
import { Creators } from './store/creators.js';
import { GuestQuotes } from './store/guest-quotes.js';
import { Imports } from './store/imports.js';
import { Launches } from './store/launches.js';
import { Meters } from './store/meters.js';
import { NetworkChanges } from './store/network-changes.js';
import { NetworkState } from './store/network-state.js';
import { OperatedCreators } from './store/operated-creators.js';
import { OperatorMessages } from './store/operator-messages.js';
import { PaidOrders } from './store/paid-orders.js';
import { PlanCreators } from './store/plan-creators.js';
import { PriceAsks } from './store/price-asks.js';
import { PRICES } from './store/prices.js';
import { Silences } from './store/silences.js';
import { sweepsOf } from './sweeps.js';

export const catalogModule = async (
  shell: Shell<'catalog'>,
  advanceClock: AdvanceClock,
  config: CatalogConfig,
): Promise<ServiceParts> => {
  const { store, log } = shell;
  const identity = await openStore(
    shell.config,
    { uri: config.CDS_IDENTITY_MONGODB_URI, db: config.CDS_IDENTITY_DB },
    log,
  );
  store.collection(PRICES);
  const creators = new Creators(store);
  const rows = new RowRunner(store, log);
  const contexts = new Contexts(store);
  const audiences = new Audiences(contexts);
  const paidOrders = new PaidOrders(store);
  const planCreators = new PlanCreators(store);
  const state = new NetworkState(store);
  const identities = new Identities(identity);
  const handles = new KnownHandles(identity);
  const leakFilter = new HandleLeakFilter(handles, log, avatarsAt(config.CDS_APP_URL));
  const memory = new NetworkMemory(creators, state, rowFilter(handles, leakFilter), config.CDS_APP_URL);
  const launches = new Launches(store);
  const evidence = new PostEvidenceRows(identity);
  const departed = new DepartedNames(identity);
  const importer = new Importer(
    new KnownCreators(creators, identities, evidence, departed),
    new ImportTransaction(identity, shell.config.store.db),
    launches,
  );
  const fileImports = new ImportProcess(log);
  const collabs = new CollabTransaction(identity, shell.config.store.db);
  const launchPropagation = new LaunchPropagation(launches, creators, evidence, collabs, rows, log);
  const avatars = new Avatars(store);
  const loader = new NetworkLoader(importer, creators, avatars, state, memory, log);

  const refresh = new ChannelRefresh(store);
  const operated = new OperatedCreators(store, state);

  const avatarFetcher = new AvatarFetcher(new AvatarQueue(identity, shell.config.store.db), safeFetch, log);

  const chores = new IdentityChores(identity, shell.config.store.db, departed, rows, log);

  const deps: DepsOf<typeof handlers> = {
    chores,
    appUrl: config.CDS_APP_URL,
    avatars,
    candidatePages: new CandidatePages(memory, config.CDS_APP_URL),
    operatorCreators: new OperatorCreatorService(operated, identities),
    fileImports,
    importer,
    imports: new Imports(store),
    launches,
    log,
    operated,
    uploads: new Uploads(identity),
    audiences,
    creators,
    leakFilter,
    enumerationDetector: new EnumerationDetector(log),
    guestQuotes: new GuestQuotes(store),
    handles,
    identities,
    loader,
    memory,
    messages: new OperatorMessages(store),
    meters: new Meters(store),
    paidOrders,
    planCreators,
    planning: shell.calls,
    priceAsks: new PriceAsks(store),
    advanceClock,
    launchPropagation,
    generatorAllowed: shell.config.env !== 'production',
  };
  const replicator = new NetworkReplicator(
    new NetworkChanges(store),
    memory,
    audiences,
    async () => dayOf(await store.now()),
    log,
  );
  const channels = config.CDS_X_BEARER_TOKEN === '' ? [] : [new XChannel(config.CDS_X_BEARER_TOKEN)];
  const refreshers = channels.map(
    (channel) => new Refresher(store, creators, state, refresh, importer, channel, rows, log),
  );

  return {
    handlers: handlers satisfies OneHandlerEach<'catalog', typeof handlers>,
    deps,
    consumers: [
      onContextChanged(contexts),
      onOrderChanged(paidOrders),
      onLineChanged(paidOrders, { store, audit: shell.audit, silences: new Silences(store), operated }),
      onPlanChanged(planCreators),
      clockSet(shell.clocks),
    ],
    reset: { collections: ['paid_orders', 'plan_creators'] },
    republished: republished(creators, shell.outbox),
    sweeps: sweepsOf({ memory, avatarFetcher, launchPropagation, chores, refreshers }),
    indicators: [
      { name: 'network', check: () => replicator.problem() },
      {
        name: 'identities',
        check: async () => {
          const missing = await identity.missingIndexes();
          return missing.length === 0 ? null : `missing indexes: ${missing.join(', ')}`;
        },
      },
    ],
    migrate: async () => {
      await identity.migrate();
      await collabs.migrate();
    },
    beforeListening: async () => {
      await replicator.start();
      await memory.follow(dayOf(await store.now()));
    },
    attach: (queueGroup) => replicator.attach(queueGroup),
    close: () => {
      fileImports.close();
      return replicator.stop();
    },
    release: () => identity.close(),
  };
};
