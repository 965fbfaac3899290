import type { Readable } from 'node:stream';
import { Encoded } from '@cds/service';

/** An answer that continues after it began. Only an operation that runs in this process has one, and only over REST. */
export class Streamed extends Encoded {
  constructor(readonly stream: Readable) {
    super('');
  }
}
