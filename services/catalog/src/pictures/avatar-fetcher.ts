import { randomBytes } from 'node:crypto';
import { PICTURE_TYPES } from '@cds/contracts';
import { type BaseShell, type Fetched, isDatabaseUnavailable, UnsafeFetch } from '@cds/service';
import { pictureIn } from '../domain/pictures/picture.js';
import type { AvatarQueue, DueAvatar } from '../identity/avatar-queue.js';

const AT_ONCE = 8;
const RUN_MAX = 32;

const TYPES: readonly string[] = Object.values(PICTURE_TYPES);

export type FetchPicture = (
  address: string,
  types: readonly string[],
) => Promise<Pick<Fetched, 'contentType' | 'body'>>;

/** Served from our own origin under random names (docs/domain/network.md#pictures). A failed fetch changes nothing. */
export class AvatarFetcher {
  constructor(
    private readonly queue: AvatarQueue,
    private readonly fetchPicture: FetchPicture,
    private readonly log: Pick<BaseShell['log'], 'info'>,
  ) {}

  async run(at: Date): Promise<number> {
    let tried = 0;
    for (let more = true; more && tried < RUN_MAX; ) {
      const due: DueAvatar[] = [];
      while (due.length < AT_ONCE && more) {
        const one = await this.queue.claim();
        if (one === null) more = false;
        else due.push(one);
      }
      await Promise.all(due.map((one) => this.take(one, at)));
      tried += due.length;
    }
    return tried;
  }

  private async take(due: DueAvatar, at: Date): Promise<void> {
    try {
      const { contentType, body } = await this.fetchPicture(due.source, TYPES);
      const picture = pictureIn(contentType, body);
      if (picture === null) throw new TypeError('the answer is not a picture');
      await this.queue.keep(due, picture, `${randomBytes(16).toString('hex')}.${picture.ending}`, at);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      // The error's own text may contain the address, and that a handle.
      const why = error instanceof UnsafeFetch ? error.why : error instanceof Error ? error.name : 'unknown';
      this.log.info({ creator_id: due.creatorId, tries: due.tries, why }, 'a picture could not be fetched');
      await this.queue.failed(due);
    }
  }
}
