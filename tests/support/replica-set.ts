import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReplicaSet, startReplicaSet } from '../../tools/lib/stack.js';

export type { ReplicaSet } from '../../tools/lib/stack.js';

/** Three mongod processes as one replica set; a stack starts on it with `{ mongod: set }`. */
export const aReplicaSet = (name: string, options: { linked?: boolean } = {}): Promise<ReplicaSet> =>
  startReplicaSet({
    ...options,
    home: mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? tmpdir(), `${name}-`)),
    binary: process.env['CDS_TEST_MONGOD_BIN'] ?? '',
  });
