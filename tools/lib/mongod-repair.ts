import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MongoClient } from 'mongodb';
import type { Child } from './child.ts';
import { mongoClient, type Root, untilAnswer } from './mongo-client.ts';

export type Run = (args: readonly string[]) => Child;

export const REPLICA_SET = 'cds0';
export const STOP_GRACE_MS = 20_000;

/**
 * Writes the root password and the port into the data, with mongod outside its replica set, without authentication and
 * behind a socket file that only this user can reach. A first run replays what a killed mongod had not yet written to
 * its tables; the second run would lose those writes.
 */
export async function repair({ run, port, root }: { run: Run; port: number; root: Root }) {
  const folder = mkdtempSync(join(tmpdir(), 'cds-repair-'));
  const socket = join(folder, 'mongod.sock');
  const alone = async (options: readonly string[], work: (client: MongoClient) => Promise<void>) => {
    const child = run(['--bind_ip', socket, ...options.flatMap((option) => ['--setParameter', option])]);
    const address = `mongodb://${encodeURIComponent(socket)}/?directConnection=true`;
    const client = await mongoClient(address);
    try {
      await untilAnswer(address, child, () => {});
      await work(client);
    } finally {
      await client.close();
      await child.stop(STOP_GRACE_MS);
    }
  };
  try {
    await alone(['recoverFromOplogAsStandalone=true', 'takeUnstableCheckpointOnShutdown=true'], async () => {});
    await alone(['disableLogicalSessionCacheRefresh=true'], async (client) => {
      const admin = client.db('admin');
      const { users } = await admin.command({ usersInfo: root.username });
      await admin.command({
        [users.length > 0 ? 'updateUser' : 'createUser']: root.username,
        pwd: root.password,
        roles: ['root'],
      });
      const address = { 'members.0.host': `127.0.0.1:${port}` };
      await client
        .db('local')
        .collection<{ _id: string; version: number }>('system.replset')
        .updateOne({ _id: REPLICA_SET }, { $set: address, $inc: { version: 1 } });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
