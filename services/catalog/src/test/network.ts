import { notFound } from '@cds/contracts';
import { Audit, type Client, Commands, type Ctx, makeLogger, OUTBOX, RowRunner } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { aCtx, testStore } from '@cds/service/testing';
import type { ImportedCreator } from '../domain/import/imported-creator.js';
import { AvatarQueue } from '../identity/avatar-queue.js';
import { CollabTransaction } from '../identity/collab-transaction.js';
import { DepartedNames } from '../identity/departed.js';
import { EnumerationDetector } from '../identity/enumeration-detector.js';
import { HandleLeakFilter, rowFilter } from '../identity/handle-leak-filter.js';
import { Identities } from '../identity/identities.js';
import { IdentityChores } from '../identity/identity-chores.js';
import { ImportTransaction } from '../identity/import-transaction.js';
import { KnownHandles } from '../identity/known-handles.js';
import { PostEvidenceRows } from '../identity/post-evidence.js';
import { Uploads } from '../identity/uploads.js';
import { importsHere } from '../imports/file-imports.js';
import { Importer } from '../imports/importer.js';
import { KnownCreators } from '../imports/known-creators.js';
import { NetworkLoader } from '../imports/loader.js';
import { LaunchPropagation } from '../launches/launch-propagation.js';
import { OperatorCreatorService } from '../operators/operator-creator-service.js';
import { avatarsAt } from '../present/avatar.js';
import { CandidatePages } from '../snapshot/candidate-pages.js';
import { NetworkMemory } from '../snapshot/memory.js';
import { Avatars } from '../store/avatars.js';
import { Contexts } from '../store/contexts.js';
import { Creators } from '../store/creators.js';
import { GuestQuotes } from '../store/guest-quotes.js';
import { Imports } from '../store/imports.js';
import { Launches } from '../store/launches.js';
import { Meters } from '../store/meters.js';
import { NetworkState } from '../store/network-state.js';
import { OperatedCreators } from '../store/operated-creators.js';
import { OperatorMessages } from '../store/operator-messages.js';
import { PaidOrders } from '../store/paid-orders.js';
import { PlanCreators } from '../store/plan-creators.js';
import { PriceAsks } from '../store/price-asks.js';
import { PRICES } from '../store/prices.js';
import { Silences } from '../store/silences.js';

/** The network's time unless a test says otherwise. */
export const NOW = '2026-11-21T12:00:00.000Z';
/** The application's address. */
export const APP_URL = 'https://app.example.com';

/** A planning service without campaigns. */
const NO_CAMPAIGNS: Client<'campaign_texts'> = {
  campaign_texts: async () => {
    throw notFound('campaign');
  },
};

/** Catalog on the test run's mongod: both databases migrated, fully wired, empty. */
export const aNetwork = async (name: string) => {
  const [catalog, identity] = await Promise.all([
    testStore(`catalog_${name}`, 'catalog'),
    testStore(`identity_${name}`, 'identity'),
  ]);
  const { store } = catalog;
  store.collection(PRICES);
  store.collection({ name: OUTBOX });
  const commands = new Commands(store);
  const creators = new Creators(store);
  const contexts = new Contexts(store);
  const meters = new Meters(store);
  const guestQuotes = new GuestQuotes(store);
  const paidOrders = new PaidOrders(store);
  const planCreators = new PlanCreators(store);
  const priceAsks = new PriceAsks(store);
  const messages = new OperatorMessages(store);
  const state = new NetworkState(store);
  const identities = new Identities(identity.store);
  const log = makeLogger('catalog', 'silent');
  const handles = new KnownHandles(identity.store);
  const leakFilter = new HandleLeakFilter(handles, log, avatarsAt(APP_URL));
  const memory = new NetworkMemory(creators, state, rowFilter(handles, leakFilter), APP_URL);
  const avatars = new Avatars(store);
  const imports = new Imports(store);
  const launches = new Launches(store);
  const evidence = new PostEvidenceRows(identity.store);
  const departed = new DepartedNames(identity.store);
  const importer = new Importer(
    new KnownCreators(creators, identities, evidence, departed),
    new ImportTransaction(identity.store, store.name),
    launches,
  );
  const collabs = new CollabTransaction(identity.store, store.name);
  const rows = new RowRunner(store, log);
  const launchPropagation = new LaunchPropagation(launches, creators, evidence, collabs, rows, log);
  const loader = new NetworkLoader(importer, creators, avatars, state, memory, log);
  const operated = new OperatedCreators(store, state);
  const uploads = new Uploads(identity.store);
  const silent = { store, audit: new Audit(store), silences: new Silences(store), operated };
  await store.migrate();
  await identity.store.migrate();
  await memory.follow(dayOf(new Date(NOW)));

  /** Imports creators as of a time, and loads them into memory. */
  const take = async (batch: readonly ImportedCreator[], asOf = NOW) => {
    const at = new Date(asOf);
    const report = await importer.importCreators(batch, {
      asOf: at,
      recordedAt: at,
      viewsSource: 'network',
      setBy: 'test',
    });
    await memory.follow(dayOf(at));
    return report;
  };

  /** Loads the generated network. A call waits 15 s, which a busy machine may exceed; another joins the same load. */
  const generate = async (wanted: { creators: number; seed: number }): Promise<void> => {
    do await loader.load(wanted, new Date(NOW));
    while ((await loader.loaded()).newest === null);
  };

  return {
    appUrl: APP_URL,
    avatars,
    candidatePages: new CandidatePages(memory, APP_URL),
    avatarQueue: new AvatarQueue(identity.store, store.name),
    commands,
    store,
    identityStore: identity.store,
    creators,
    contexts,
    // Not cached: these tests have no replicator to invalidate it.
    audiences: { of: (workspace: string) => contexts.audienceOf(workspace) },
    planning: NO_CAMPAIGNS,
    paidOrders,
    planCreators,
    priceAsks,
    messages,
    state,
    identities,
    memory,
    meters,
    guestQuotes,
    operated,
    silent,
    launches,
    collabs,
    launchPropagation,
    chores: new IdentityChores(identity.store, store.name, departed, rows, log),
    departed,
    rows,
    uploads,
    log,
    operatorCreators: new OperatorCreatorService(operated, identities),
    handles,
    leakFilter,
    enumerationDetector: new EnumerationDetector(log),
    fileImports: importsHere(importer, uploads),
    importer,
    imports,
    loader,
    generate,
    take,
    drop: async () => {
      await catalog.drop();
      await identity.drop();
    },
  };
};
export type TestNetwork = Awaited<ReturnType<typeof aNetwork>>;

/** A request at the test's time; a test overrides only what it is about. */
export const aRequest = (over: Parameters<typeof aCtx>[0] = {}): Ctx => aCtx({ now: NOW, ...over });

/** The request of a guest at the test's time. */
export const aGuest = (address: string, over: Parameters<typeof aCtx>[0] = {}): Ctx => {
  const ctx = aRequest(over);
  const nobody = { workspace: '', workspace_name: '', reads_workspace: '', key: '', scopes: [], mandate: null };
  return { ...ctx, principal: { ...ctx.principal, ...nobody, audience: 'guest', guest: { address } } };
};
