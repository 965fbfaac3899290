import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AuditCheckpoint, type ServiceName } from '@cds/contracts';
import { canonicalJson } from '../pure/canonical-json.js';

/** Where whoever owns the database cannot rewrite checkpoints; nothing appended changes (docs/reliability.md#audit). */
export type CheckpointSink = {
  /** Returns once the checkpoints survive a crash. */
  append(checkpoints: readonly AuditCheckpoint[]): Promise<void>;
  /** Every checkpoint, oldest first; null for one that cannot be read. */
  read(): AsyncIterable<AuditCheckpoint | null>;
};

const NEWLINE = 10;

/** One JSON Lines file for each service in a directory. */
export class CheckpointDirectory implements CheckpointSink {
  private readonly file: string;

  constructor(
    private readonly directory: string,
    service: ServiceName,
  ) {
    this.file = join(directory, `${service}.jsonl`);
  }

  async append(checkpoints: readonly AuditCheckpoint[]): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    const file = await open(this.file, 'a+');
    try {
      const { size } = await file.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await file.read(last, 0, 1, size - 1);
      // A crash may have left half a line; the next one begins on its own.
      const torn = size > 0 && last[0] !== NEWLINE;
      await file.appendFile(`${torn ? '\n' : ''}${checkpoints.map((one) => `${canonicalJson(one)}\n`).join('')}`);
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  async *read(): AsyncIterable<AuditCheckpoint | null> {
    const file = await open(this.file, 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (file === null) return;
    await file.close();
    for await (const line of createInterface({ input: createReadStream(this.file), crlfDelay: Infinity }))
      yield checkpointIn(line);
  }
}

const checkpointIn = (line: string): AuditCheckpoint | null => {
  try {
    return AuditCheckpoint.parse(JSON.parse(line));
  } catch {
    return null;
  }
};
