import type { mongo } from 'mongoose';
import { readingOf } from '../telemetry/metrics.js';

/** The descriptions of a topology that can take writes. */
const WITH_PRIMARY: ReadonlySet<string> = new Set(['ReplicaSetWithPrimary', 'Single', 'Sharded', 'LoadBalanced']);

export const showConnections = (client: mongo.MongoClient, database: string): void => {
  let used = 0;
  let waiting = 0;
  let hasPrimary = true;
  client.on('connectionCheckOutStarted', () => {
    waiting += 1;
  });
  client.on('connectionCheckOutFailed', () => {
    waiting -= 1;
  });
  client.on('connectionCheckedOut', () => {
    waiting -= 1;
    used += 1;
  });
  client.on('connectionCheckedIn', () => {
    used -= 1;
  });
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    hasPrimary = WITH_PRIMARY.has(newDescription.type);
  });
  const shown = (read: () => number) => () => [{ value: read(), labels: { database } }];
  readingOf(
    'cds_database_connections_used',
    shown(() => used),
  );
  readingOf(
    'cds_database_waiting',
    shown(() => waiting),
  );
  readingOf(
    'cds_database_primary',
    shown(() => (hasPrimary ? 1 : 0)),
  );
};
