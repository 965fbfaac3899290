/** Makes the container's database a replica set with a user for each service. Each step checks first. */
import { setTimeout as pause } from 'node:timers/promises';
import { untilAnswer, withAdmin } from './lib/mongo-client.ts';
import { ensureServiceUsers } from './lib/mongo-users.ts';

const NOT_INITIALIZED = 94;
const IDENTITY_USER = 'catalog_identity';
/** The server runs in another container, so its process cannot be watched from here. */
const server = { ended: () => undefined, said: () => [] };

async function setUp(uri: string, passwords: Record<string, string>) {
  await untilAnswer(uri, server);
  await withAdmin(uri, async (admin) => {
    await admin.command({ replSetGetStatus: 1 }).catch(async (error) => {
      if (error.code !== NOT_INITIALIZED) throw error;
      const { parsed } = await admin.command({ getCmdLineOpts: 1 });
      const members = [{ _id: 0, host: new URL(uri).host }];
      await admin.command({ replSetInitiate: { _id: parsed.replication.replSet, members } });
    });
    for (let left = 2_400; left > 0 && !(await admin.command({ hello: 1 })).isWritablePrimary; left -= 1)
      await pause(25);
  });
  const services = Object.keys(passwords).filter((user) => user !== IDENTITY_USER);
  await ensureServiceUsers({ uri, services, password: (user) => passwords[user] });
}

const { MONGODB_ROOT_URI: uri, MONGODB_PASSWORDS: passwords } = process.env;
if (!uri || !passwords)
  throw new Error('Set MONGODB_ROOT_URI and MONGODB_PASSWORDS: npm run deploy:secrets -- compose');
await setUp(uri, JSON.parse(passwords));
console.log('the replica set and the users of the services are in place');
