#!/usr/bin/env node
/**
 * `npm start` and `npm run cluster`: brings up the whole system on this machine, from a clean clone to a printed key.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runAttached } from './lib/command.js';
import { mustBeToHand, resolveEngine } from './lib/engines.js';
import { printFailure } from './lib/failure.js';
import { openHome, shortPath } from './lib/home.js';
import { build, ensureDependencies } from './lib/install.js';
import { CLUSTER, claimHome, openBus, openDatabase, SINGLE } from './lib/layouts.js';
import { ensureServiceUsers } from './lib/mongo-users.js';
import { ensureNode, whenAbandoned } from './lib/node-runtime.js';
import { freePort, nextFreePort } from './lib/ports.js';
import { createProgress, seconds } from './lib/progress.js';
import { readyText } from './lib/ready-text.js';
import { runtimeContent, runtimeFile } from './lib/runtime-file.js';
import { openSecrets } from './lib/secrets.js';
import { ensureBrands, ensureNetwork, operator } from './lib/seed.js';
import { loadContracts, natsUsers } from './lib/service-environment.js';
import { startServices } from './lib/services.js';
import { HELP, parsePort, parseStartOptions } from './lib/start-options.js';
import { createStopping } from './lib/stopping.js';
import { startStripeTestServer } from './lib/stripe-test-server.js';
import { endLeftovers, takeHome } from './lib/takeover.js';
import { urlsOf } from './lib/urls.js';

/**
 * @typedef {import('./lib/progress.js').Say} Say
 * @typedef {import('./lib/home.js').Home} Home
 * @typedef {import('./lib/engines.js').EngineName} EngineName
 */

const NODE_FLOOR = [22, 12, 0];
const began = Date.now();
const progress = createProgress();

/** @type {ReturnType<typeof createStopping>} */
let stopping;
/**
 * The content of runtime.json; complete once the system is ready.
 * @type {any}
 */
const system = {};

async function main() {
  const options = parseStartOptions(process.argv.slice(2));
  if (options.help) return progress.text(HELP);
  const wantedPort = parsePort(process.env.CDS_PORT);
  if (!process.env.CDS_NODE_CHOSEN) progress.text('\n  Creator Distribution Service\n\n');
  await ensureNode({ floor: NODE_FLOOR, progress, offline: options.offline });
  await mustBeToHand(['mongod', 'nats'], options);

  const layout = options.cluster ? CLUSTER : SINGLE;
  const home = openHome(layout.home);
  const lock = await takeHome({ home, fresh: options.fresh, progress });
  if (!lock) return;
  const runtime = runtimeFile(home);
  stopping = createStopping({ progress, home, lock, onBegin: runtime.remove });
  whenAbandoned(() => stopping.begin(0));
  await endLeftovers({ home, progress });
  if (options.fresh) {
    home.dropData();
    progress.note('Data', `deleted from ${shortPath(home.root)}`);
  }
  claimHome(home, layout);
  const secrets = openSecrets(home);
  const record = () => {
    if (system.ready && !stopping.hasBegun()) runtime.write(runtimeContent(system));
  };
  const supervision = { supervise: true, onDied, onChange: record };

  const mongodEngine = await step('MongoDB', (say) => findEngine('mongod', options, say));
  const natsEngine = await step('NATS', (say) => findEngine('nats', options, say));
  await step('Dependencies', (say) => ensureDependencies(say, options));

  // The database starts while the compiler runs; neither needs the other.
  const database = openDatabase(layout, {
    ...supervision,
    home,
    engine: mongodEngine,
    note: (text) => progress.warn('mongod', text),
    say: () => {},
  });
  database.then(({ stop }) => stopping.addLast('mongod', stop)).catch(() => {});
  await step('Build', build);
  const contracts = await loadContracts();
  const mongod = await step('mongod', async () => {
    const server = await database;
    await ensureServiceUsers({ uri: server.uri, services: contracts.services, password: secrets.servicePassword });
    return server;
  });
  const users = natsUsers({ contracts, secrets });
  const nats = await step('nats-server', async (say) => {
    const note = (/** @type {string} */ text) => progress.warn('nats-server', text);
    const bus = await openBus(layout, { ...supervision, home, engine: natsEngine, users, note, say });
    stopping.add('nats-server', bus.stop);
    return bus;
  });
  const port = await gatewayPort(wantedPort);
  const urls = urlsOf(port);

  if (options.card) {
    const stripe = await step('Stripe', () => startStripeTestServer({ appUrl: urls.app_url }));
    stopping.add('the Stripe test server', () => stripe.stop());
  }
  const gateways = await layout.gatewayPorts(port);
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

  const front = await layout.front(port, gateways);
  if (front) stopping.add('the proxy', () => front.stop());

  const ops = operator({ opsUrl: `http://127.0.0.1:${port}/api/ops`, opsToken: secrets.values.ops_token });
  await step('Network', async (say) => {
    const network = await ensureNetwork({ ops, wanted: options.network, loaded: home.readState().network, say });
    home.writeState({ network: { creators: network.creators, seed: network.seed } });
    return network;
  });
  const { workspaces } = await step('Keys', () => ensureBrands({ ops, secrets, hadData: mongod.hadData }));

  const versions = { node: process.versions.node, mongod: mongod.version ?? mongodEngine.version, nats: nats.version };
  const { ops_token: opsToken, relay_token: relayToken } = secrets.values;
  Object.assign(system, { ready: true, urls, opsToken, relayToken, mongod, nats, services, versions, workspaces });
  record();
  stopping.systemRuns();
  lock.report('running');
  progress.text(`\n  Ready in ${seconds(Date.now() - began)}\n`);
  progress.text(readyText({ urls, workspaces, home, paint: progress.paint }));
  // Child processes do not keep this process alive, so a timer does.
  setInterval(() => {}, 2 ** 30);
  if (options.demo && !home.readState().demo_shown) await showDemo(home);
}

/**
 * Once stopping has begun, no step starts; whatever awaits one waits until the process ends.
 * @template T
 * @param {string} label
 * @param {(say: Say) => Promise<T>} work
 * @returns {Promise<T>}
 */
function step(label, work) {
  return stopping.hasBegun() ? new Promise(() => {}) : progress.step(label, work);
}

/**
 * @param {EngineName} name
 * @param {{ offline: boolean }} options
 * @param {Say} say
 */
async function findEngine(name, { offline }, say) {
  const engine = await resolveEngine(name, { say, note: progress.note, offline });
  return {
    ...engine,
    detail: engine.uri ? `your own, at ${engine.origin}` : `${engine.version} from ${engine.origin}`,
  };
}

/** @param {number} wanted */
async function gatewayPort(wanted) {
  if (wanted === 0) return freePort();
  const { port, passed } = await nextFreePort(wanted);
  for (const { port: taken, owner } of passed) progress.warn('Port', `${taken} is in use by ${owner}`);
  if (passed.length > 0) progress.note('Port', `using ${port}`);
  return port;
}

/** @type {import('./lib/keeper.js').OnDied} */
function onDied(name, how, delayMs, log) {
  if (stopping.hasBegun()) return;
  progress.warn(name, `stopped unexpectedly (${how}); restarting in ${seconds(delayMs)}; log: ${shortPath(log)}`);
}

/** @param {Home} home */
async function showDemo(home) {
  const file = fileURLToPath(new URL('demo.js', import.meta.url));
  if (!existsSync(file)) return;
  home.writeState({ demo_shown: true });
  await runAttached(process.execPath, [file], { ...process.env, CDS_HOME: home.root });
}

main().catch((error) => {
  if (stopping?.hasBegun()) return;
  printFailure(error);
  if (stopping) stopping.begin(1);
  else process.exit(1);
});
