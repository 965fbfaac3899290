/**
 * `npm start` and `npm run cluster`: brings up the whole system on this machine, from a clean clone to a printed key.
 */
import { fileURLToPath } from 'node:url';
import { argumentsOf } from './lib/arguments.ts';
import { runAttached } from './lib/command.ts';
import { type EngineName, mustBeToHand, resolveEngine } from './lib/engines.ts';
import { Failure, printFailure } from './lib/failure.ts';
import { type Home, openHome, shortPath } from './lib/home.ts';
import { build, ensureDependencies } from './lib/install.ts';
import { createStopping, endLeftovers, takeHome } from './lib/launcher.ts';
import { claimHome, LAYOUTS, openBus, openDatabase } from './lib/layouts.ts';
import { ensureServiceUsers } from './lib/mongo-users.ts';
import { freePort, keptPorts, nextFreePort } from './lib/ports.ts';
import { createProgress, type Say, seconds } from './lib/progress.ts';
import { readyText } from './lib/ready-text.ts';
import { startRoundRobin } from './lib/round-robin.ts';
import { type Running, runtimeFile, urlsOf } from './lib/runtime-file.ts';
import { openSecrets } from './lib/secrets.ts';
import { ensureBrands, ensureNetwork, operator } from './lib/seed.ts';
import { loadContracts, natsUsers } from './lib/service-environment.ts';
import { startServices } from './lib/services.ts';

const USAGE = [
  'npm start -- [options]',
  'npm run cluster -- [options]    three of each engine, two of each service, one address',
  '',
  '  --creators N   creators of the generated network (2,000 at first, then as many as there are)',
  '  --seed N       seed of the generated network (1 at first)',
  '  --fresh        delete all data of this home and start over',
  '  --card         accept cards for live orders, on a Stripe test server that moves no money',
  '  --no-demo      do not run the demo after the first start',
  '  --offline      download nothing',
  '',
  '  CDS_HOME       data, logs and secrets (.cds; of a cluster .cds/cluster)',
  '  CDS_PORT       port of the gateway (8080; 0 takes a free one)',
  '  CDS_CACHE      where downloaded engines and Node are kept',
  '  MONGODB_URI, NATS_URL                    use servers that are already running',
  '  CDS_MONGOD_BIN, CDS_NATS_SERVER_BIN      use these programs',
];
const FLAG = { type: 'boolean', default: false } as const;
const NUMBER = { type: 'string' } as const;
const OPTIONS = {
  ...{ cluster: FLAG, fresh: FLAG, card: FLAG, offline: FLAG, 'no-demo': FLAG },
  ...{ creators: NUMBER, seed: NUMBER },
} as const;
const began = Date.now();
const progress = createProgress();

let stopping: ReturnType<typeof createStopping>;
/** The system once it is ready. */
let system: Running | undefined;

async function main() {
  const { creators, seed, ...options } = argumentsOf({ options: OPTIONS }, USAGE).values;
  const wantedPort = count('CDS_PORT', process.env.CDS_PORT || '8080', 0, 65_535) ?? 0;
  const wanted = { creators: count('--creators', creators, 1, 1_000_000), seed: count('--seed', seed, 0, 2 ** 31 - 1) };
  progress.text('\n  Creator Distribution Service\n\n');
  await mustBeToHand(['mongod', 'nats'], options);

  const layout = LAYOUTS[options.cluster ? 'cluster' : 'single'];
  const home = openHome(layout.home);
  const lock = await takeHome({ home, fresh: options.fresh, progress });
  if (!lock) return;
  const runtime = runtimeFile(home);
  stopping = createStopping({ progress, home, lock, onBegin: runtime.remove });
  // The process in front may be killed; this one then has no caller left.
  if (process.connected) process.once('disconnect', () => stopping.begin(0));
  process.channel?.unref();
  await endLeftovers({ home, progress });
  if (options.fresh) {
    home.dropData();
    progress.note('Data', `deleted from ${shortPath(home.root)}`);
  }
  claimHome(home, layout);
  const secrets = openSecrets(home);
  const record = () => {
    if (system && !stopping.hasBegun()) runtime.write(system);
  };
  const supervision = { supervise: true, onDied, onChange: record };

  const mongodEngine = await step('MongoDB', (say) => findEngine('mongod', options, say));
  const natsEngine = await step('NATS', (say) => findEngine('nats', options, say));
  await step('Dependencies', (say) => ensureDependencies(say, options));

  // The database starts while the compiler runs; neither needs the other.
  const database = openDatabase({ ...supervision, home, layout, engine: mongodEngine });
  database.then(({ stop }) => stopping.addLast('mongod', stop)).catch(() => {});
  await step('Build', build);
  const contracts = await loadContracts();
  const mongod = await step('mongod', async () => {
    const server = await database;
    await ensureServiceUsers({ uri: server.uri, services: contracts.services, password: secrets.servicePassword });
    return server;
  });
  const users = natsUsers({ contracts, secrets });
  const nats = await step('nats-server', async () => {
    const bus = await openBus({ ...supervision, home, layout, engine: natsEngine, users });
    stopping.add('nats-server', bus.stop);
    return bus;
  });
  const port = await gatewayPort(wantedPort);
  const urls = urlsOf(port);

  if (options.card) {
    const stripe = await step('Stripe', () => startStripeTestServer({ appUrl: urls.app_url }));
    stopping.add('the Stripe test server', () => stripe.stop());
  }
  const gateways = layout.copies === 1 ? [port] : await keptPorts([], layout.copies);
  const services = await step('Services', async (say) => {
    const started = startServices({
      ...supervision,
      env: layout.env,
      replicas: Object.fromEntries(contracts.services.map((service) => [service, layout.copies])),
      home,
      secrets,
      contracts,
      environment: 'development',
      databases: mongod.uri,
      bus: (service) => ({ url: nats.url, ...(nats.login ?? users.find(({ user }) => user === service)) }),
      httpPorts: gateways,
      appUrl: () => urls.app_url,
    });
    stopping.add('services', () => started.stop());
    await started.whenReady(say);
    return Object.assign(started, { detail: `${Object.values(started.byName).flat().length} processes` });
  });

  if (layout.copies > 1) {
    const front = await startRoundRobin({ port, backends: gateways });
    stopping.add('the proxy', front.stop);
  }

  const ops = operator({ opsUrl: `http://127.0.0.1:${port}/api/ops`, opsToken: secrets.values.ops_token });
  await step('Network', async (say) => {
    const network = await ensureNetwork({ ops, wanted, loaded: home.readState().network, say });
    home.writeState({ network: { creators: network.creators, seed: network.seed } });
    return network;
  });
  const { workspaces } = await step('Keys', () => ensureBrands({ ops, secrets, hadData: mongod.hadData }));

  const versions = { node: process.versions.node, mongod: mongod.version, nats: nats.version };
  const { ops_token: opsToken, relay_token: relayToken } = secrets.values;
  system = { urls, opsToken, relayToken, mongod, nats, services, versions, workspaces };
  record();
  stopping.systemRuns();
  lock.report('running');
  progress.text(`\n  Ready in ${seconds(Date.now() - began)}\n`);
  progress.text(readyText({ urls, workspaces, home, paint: progress.paint }));
  // Child processes do not keep this process alive, so a timer does.
  setInterval(() => {}, 2 ** 30);
  if (!options['no-demo'] && !home.readState().demo_shown) await showDemo(home);
}

function count(name: string, text: string | undefined, least: number, most: number) {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Failure(
    `${name} takes a whole number from ${least} to ${most}; it was given "${text}".`,
    USAGE.slice(0, 2),
  );
}

/** Once stopping has begun, no step starts; whatever awaits one waits until the process ends. */
function step<T>(label: string, work: (say: Say) => Promise<T>): Promise<T> {
  return stopping.hasBegun() ? new Promise(() => {}) : progress.step(label, work);
}

async function findEngine(name: EngineName, { offline }: { offline: boolean }, say: Say) {
  const engine = await resolveEngine(name, { say, note: progress.note, offline });
  return {
    ...engine,
    detail: engine.uri ? `your own, at ${engine.origin}` : `${engine.version} from ${engine.origin}`,
  };
}

async function gatewayPort(wanted: number) {
  const port = wanted === 0 ? await freePort() : await nextFreePort(wanted);
  if (wanted !== 0 && port !== wanted) progress.warn('Port', `${wanted} is in use; using ${port}`);
  return port;
}

function onDied(name: string, how: string, delayMs: number, log: string) {
  if (stopping.hasBegun()) return;
  progress.warn(name, `stopped unexpectedly (${how}); restarting in ${seconds(delayMs)}; log: ${shortPath(log)}`);
}

async function showDemo(home: Home) {
  home.writeState({ demo_shown: true });
  const file = fileURLToPath(new URL('demo.ts', import.meta.url));
  await runAttached(process.execPath, [file], { ...process.env, CDS_HOME: home.root });
}

/** Starts a local Stripe that moves no money, and points billing to it by the environment of this process. */
async function startStripeTestServer({ appUrl }: { appUrl: string }) {
  const { StripeFake } = await import('../services/billing/dist/test/stripe-fake.js');
  const server = await StripeFake.start();
  server.deliverTo(`${appUrl}/api/rails/stripe/events`);
  Object.assign(process.env, {
    CDS_STRIPE_SECRET_KEY: 'rk_test_local',
    CDS_STRIPE_WEBHOOK_SECRETS: server.webhookSecret,
    CDS_STRIPE_API_URL: server.url,
  });
  return { stop: () => server.stop(), detail: `a test server, ${server.url}` };
}

main().catch((error) => {
  if (stopping?.hasBegun()) return;
  printFailure(error);
  if (stopping) stopping.begin(1);
  else process.exit(1);
});
