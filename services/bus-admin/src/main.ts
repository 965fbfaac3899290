import { BUS_ADMIN } from '@cds/contracts';
import { BusConnection, makeLogger, serveOpsPort, startTelemetry, TopologyKeeper } from '@cds/service/bus';
import { readConfig } from './config.js';

const config = readConfig();
const log = makeLogger(BUS_ADMIN, config.logLevel);
const telemetry = await startTelemetry(BUS_ADMIN, { endpoint: '', sample: 0, auto: false });
const connection = await BusConnection.open(BUS_ADMIN, config.bus, log);
const keeper = new TopologyKeeper(connection, config.replicas, log);
keeper.start();
const ops = await serveOpsPort(config.ops, {
  alive: () => connection.alive,
  problem: () => (connection.up ? keeper.problem() : 'the bus is unavailable'),
  metrics: telemetry.metrics,
});
log.info({ ops_port: ops.port }, 'ready');

/** A stop ends by then, whatever hangs: nothing here waits for an answer. */
const STOPPED_BY_MS = 10_000;

const stop = async (signal: string): Promise<void> => {
  log.info({ signal }, 'stopping');
  setTimeout(() => process.exit(1), STOPPED_BY_MS).unref();
  await keeper.stop();
  await ops.close();
  await connection.close();
  await telemetry.stop();
  process.exit(0);
};
process.once('SIGTERM', () => void stop('SIGTERM'));
process.once('SIGINT', () => void stop('SIGINT'));
