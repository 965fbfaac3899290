/** Running servers named by the user: checked and used, never started or stopped. */
import { Failure } from './failure.ts';
import { mongoClient } from './mongo-client.ts';
import { readNatsInfo } from './nats.ts';

export async function useMongodb(uri: string) {
  const client = await mongoClient(uri, { serverSelectionTimeoutMS: 8000 });
  const fixes = [
    'See that MONGODB_URI names a running server, with user and password',
    'Add ?replicaSet=name: transactions need a replica set, one node is enough',
    'Leave MONGODB_URI out: a mongod is started here',
  ];
  try {
    const hello = await client.db('admin').command({ hello: 1 });
    if (!hello.setName) throw new Failure('The server at MONGODB_URI is not a replica set.', fixes);
    const { version } = await client.db('admin').command({ buildInfo: 1 });
    const { databases } = await client.db('admin').command({ listDatabases: 1, nameOnly: true });
    const hadData = databases.some(({ name }: { name: string }) => name === 'cds_gateway');
    return { uri, version, hadData, pid: null, stop: async () => {} };
  } catch (error) {
    throw error instanceof Failure
      ? error
      : new Failure('The server at MONGODB_URI cannot be used.', fixes, [error.message]);
  } finally {
    await client.close();
  }
}

export async function useNats(uri: string) {
  const url = new URL(uri.includes('://') ? uri : `nats://${uri}`);
  const fixes = [
    'See that NATS_URL names a running server: nats://user:password@host:4222',
    'Start that server with -js: JetStream carries the events',
    'Leave NATS_URL out: a nats-server is started here',
  ];
  const info = await readNatsInfo(url.hostname, Number(url.port) || 4222);
  if (!info) throw new Failure('No server answers at NATS_URL.', fixes);
  if (!info.jetstream) throw new Failure('The server at NATS_URL runs without JetStream.', fixes);
  return {
    url: `nats://${url.host}`,
    rootUrl: uri,
    // On a server of the user we create no users.
    login: { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    version: info.version,
    pid: null,
    stop: async () => {},
  };
}
