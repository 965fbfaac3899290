#!/usr/bin/env node
/** `npm start`: the whole system on this machine, from a clean clone to a printed key. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { resolveEngine } from './lib/engines.js';
import { useMongodb, useNats } from './lib/external.js';
import { Failure, printFailure } from './lib/failure.js';
import { openHome, shortPath } from './lib/home.js';
import { build, ensureDependencies } from './lib/install.js';
import { lockHome } from './lib/lock.js';
import { ensureServiceUsers } from './lib/mongo-users.js';
import { startMongod } from './lib/mongod.js';
import { startNats } from './lib/nats.js';
import { ensureNode, whenAbandoned } from './lib/node-runtime.js';
import { freePort, nextFreePort } from './lib/ports.js';
import { endProcesses, processesOf, waitUntilGone } from './lib/process-table.js';
import { createProgress, seconds } from './lib/progress.js';
import { readyText } from './lib/ready-text.js';
import { runtimeContent, runtimeFile } from './lib/runtime-file.js';
import { openSecrets } from './lib/secrets.js';
import { SEED_BRANDS, ensureNetwork, makeBrand, operator } from './lib/seed.js';
import { answersOk, loadContracts, natsUsers, startServices } from './lib/services.js';
import { HELP, parsePort, parseStartOptions } from './lib/start-options.js';
import { urlsOf } from './lib/urls.js';

const NODE_FLOOR = [22, 12, 0];
const began = Date.now();
const progress = createProgress();

/** What was started, in the order of starting; stopped in the opposite order. */
const stoppers = [];
let stopping;

async function main() {
  const options = parseStartOptions(process.argv.slice(2));
  if (options.help) return progress.text(HELP);
  const wantedPort = parsePort(process.env.CDS_PORT);
  if (!process.env.CDS_NODE_CHOSEN) progress.text('\n  Creator Distribution Service\n\n');
  await ensureNode({ floor: NODE_FLOOR, progress });

  const home = openHome();
  const lock = await takeHome(home, options);
  if (!lock) return;
  listenForStop({ home, lock });
  await cleanUp(home);
  if (options.fresh) {
    home.dropData();
    progress.note('Data', `dropped from ${shortPath(home.root)}`);
  }
  const hadData = home.hasData();
  const secrets = openSecrets(home);

  const engine = (name) => (say) => resolveEngine(name, { say, note: progress.note, offline: options.offline }).then(described);
  const mongodEngine = await step('MongoDB', engine('mongod'));
  const natsEngine = await step('NATS', engine('nats'));
  await step('Dependencies', ensureDependencies);

  // The database comes up while the compiler runs: both take a second or more and neither needs the other.
  const database = openDatabase({ home, engine: mongodEngine });
  database.catch(() => {});
  await step('Build', build);
  const contracts = await loadContracts();
  const mongod = await step('mongod', async () => {
    const server = await database;
    await ensureServiceUsers({ uri: server.uri, services: contracts.services, password: secrets.servicePassword });
    return Object.assign(server, { detail: server.port ? `127.0.0.1:${server.port}, one-node replica set` : 'the one at MONGODB_URI' });
  });
  const nats = await step('nats-server', () => openBus({ home, engine: natsEngine, users: natsUsers({ contracts, secrets }) }));

  const port = await gatewayPort(wantedPort);
  const urls = urlsOf(port);
  const runtime = runtimeFile(home);
  const system = { urls, opsToken: secrets.values.ops_token, mongod, nats, workspaces: secrets.workspaces() };
  system.versions = { node: process.versions.node, mongod: mongod.version ?? mongodEngine.version, nats: nats.version };
  const record = () => {
    if (system.ready && !stopping) runtime.write(runtimeContent(system));
  };
  watch.record = record;

  system.services = await step('Services', async (say) => {
    const services = startServices({
      home, secrets, contracts, supervise: true, onDied, onChange: () => watch.record?.(),
      environment: 'development',
      databases: mongod.uri,
      bus: (service) => ({ url: nats.url, user: nats.user ?? service, password: nats.password ?? secrets.servicePassword(`nats_${service}`) }),
      httpPorts: [port],
      appUrl: () => urls.app_url,
    });
    stoppers.push(['services', () => services.stop()]);
    await services.whenReady(say);
    say('waiting for the gateway to see them all');
    await untilWholeSystemReady(port);
    return Object.assign(services, { detail: `${contracts.services.length} processes` });
  });

  system.workspaces = await seed({ home, secrets, urls, options, hadData: mongod.hadData ?? hadData });
  system.ready = true;
  record();
  stoppers.push(['runtime.json', async () => runtime.remove()]);
  lock.tell('running');
  progress.text(`\n  Ready in ${seconds(Date.now() - began)}\n`);
  progress.text(readyText({ urls, workspaces: system.workspaces, home, paint: progress.paint }));
  // Children do not hold this process; it stays until it is told to stop.
  setInterval(() => {}, 2 ** 30);
  if (options.demo && !home.readState().demo_shown) await showDemo(home);
}

/** Late additions that callbacks made early have to see. */
const watch = {};

function step(label, work) {
  if (stopping) return new Promise(() => {});
  return progress.step(label, work);
}

function described(engine) {
  return { ...engine, detail: engine.uri ? `the one at ${engine.origin}` : `${engine.version} from ${engine.origin}` };
}

function onDied(name, how, delayMs, log) {
  if (!stopping) progress.warn(name, `died (${how}); started again in ${seconds(delayMs)}; log: ${shortPath(log)}`);
}

/** The lock on the home, or nothing when another launcher holds it and says so here. */
async function takeHome(home, options) {
  for (;;) {
    const lock = lockHome(home);
    if (!lock.holder) return lock;
    const { pid, phase } = lock.holder;
    if (phase === 'stopping') {
      await progress.step('Waiting', async (say) => {
        say(`for process ${pid}, which is stopping`);
        await waitUntilGone(pid, 60_000);
        return 'the other launcher has stopped';
      });
      continue;
    }
    const url = runtimeFile(home).read()?.app_url;
    const where = phase === 'running' && url ? `It runs already at ${url}` : 'It is being started already';
    if (options.fresh) throw new Failure(`${where}, so its data cannot be dropped.`, ['Stop it with Ctrl-C where it runs', `kill ${pid}`, 'CDS_HOME=/another/folder npm start']);
    progress.text(`  ${where} (process ${pid}, home ${shortPath(home.root)}).\n\n`);
    return undefined;
  }
}

/** A launcher that was killed leaves its children running; they hold the data and the ports. */
async function cleanUp(home) {
  runtimeFile(home).remove();
  const left = processesOf(home.root);
  if (left.length === 0) return;
  await step('Clean-up', async () => {
    await endProcesses(left.map(({ pid }) => pid), 10_000);
    return `ended ${left.length} ${left.length === 1 ? 'process' : 'processes'} that an earlier launcher left behind`;
  });
}

async function openDatabase({ home, engine }) {
  if (engine.uri) return useMongodb(engine.uri);
  const mongod = await startMongod({
    home, binary: engine.binary, supervise: true, onDied, onChange: () => watch.record?.(),
    note: (text) => progress.warn('mongod', text),
  });
  stoppers.unshift(['mongod', () => mongod.stop()]);
  return mongod;
}

async function openBus({ home, engine, users }) {
  if (engine.uri) return Object.assign(await useNats(engine.uri), { detail: 'the one at NATS_URL; all services share its user' });
  const nats = await startNats({ home, binary: engine.binary, users, supervise: true, onDied, onChange: () => watch.record?.() });
  stoppers.push(['nats-server', () => nats.stop()]);
  return Object.assign(nats, { detail: `127.0.0.1:${nats.port}, JetStream` });
}

async function gatewayPort(wanted) {
  if (wanted === 0) return freePort();
  const { port, passed } = await nextFreePort(wanted);
  for (const { port: taken, owner } of passed) progress.warn('Port', `${taken} is taken by ${owner}`);
  if (passed.length > 0) progress.note('Port', `taking ${port}`);
  return port;
}

async function untilWholeSystemReady(port) {
  const end = Date.now() + 30_000;
  while (!(await answersOk(`http://127.0.0.1:${port}/readyz`))) {
    if (Date.now() > end) throw new Failure('The gateway does not see all services within 30 s.', ['Read logs/gateway.log in the home folder', 'CDS_LOG_LEVEL=debug npm start', 'npm start -- --fresh  (drops all data of this home)']);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function seed({ home, secrets, urls, options, hadData }) {
  const ops = operator({ opsUrl: urls.ops_url.replace('localhost', '127.0.0.1'), opsToken: secrets.values.ops_token });
  await step('Network', async (say) => {
    const network = await ensureNetwork({ ops, wanted: options.network, loaded: home.readState().network, say });
    home.writeState({ network: { creators: network.creators, seed: network.seed } });
    return network;
  });
  // Keys of data that are gone open nothing.
  const kept = hadData ? secrets.workspaces() : [];
  if (SEED_BRANDS.every(({ name }) => kept.some((workspace) => workspace.name === name))) return kept;
  const { workspaces } = await step('Keys', async () => {
    const made = [];
    for (const brand of SEED_BRANDS) made.push(...(await makeBrand(ops, { ...brand, replaceKeys: hadData })));
    secrets.saveWorkspaces(made);
    const lost = hadData && secrets.made;
    const detail = lost ? 'The seeded keys were replaced because secrets.json was lost' : `${made.length} workspaces`;
    return { workspaces: made, detail };
  });
  return workspaces;
}

async function showDemo(home) {
  const file = fileURLToPath(new URL('demo.js', import.meta.url));
  if (!existsSync(file)) return;
  home.writeState({ demo_shown: true });
  await new Promise((resolve) => {
    const demo = spawn(process.execPath, [file], { stdio: 'inherit', env: { ...process.env, CDS_HOME: home.root } });
    demo.once('close', resolve).once('error', resolve);
  });
}

function listenForStop({ home, lock }) {
  let asked = 0;
  const stop = (exitCode) => {
    asked ||= Date.now();
    // npm and the terminal may both pass on the same Ctrl-C; a later one means that somebody is tired of waiting.
    if (stopping && Date.now() - asked > 2000) process.exit(1);
    stopping ??= stopAll({ home, lock, exitCode });
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stop(0));
  whenAbandoned(() => stop(0));
  listenForStop.fail = (error) => {
    printFailure(error);
    stop(1);
  };
}

async function stopAll({ home, lock, exitCode }) {
  lock.tell('stopping');
  progress.text('\n');
  for (const [label, stop] of stoppers.reverse()) {
    if (label === 'runtime.json') await stop();
    else await progress.step('Stopping', async (say) => {
      say(label);
      await stop();
      return label;
    });
  }
  // Whatever was being started at that moment.
  await endProcesses(processesOf(home.root).map(({ pid }) => pid), 10_000);
  lock.release();
  progress.text('\n');
  process.exit(exitCode);
}

main().catch((error) => {
  if (stopping) return;
  if (listenForStop.fail) return listenForStop.fail(error);
  printFailure(error);
  process.exit(1);
});
