import { randomBytes } from 'node:crypto';
import { PICTURE_TYPES } from '@cds/contracts';
import { type BaseShell, type Fetched, isDatabaseUnavailable, UnsafeFetch } from '@cds/service';
import { pictureIn } from '../domain/pictures/picture.js';
import type { AvatarQueue, DueAvatar } from '../identity/avatar-queue.js';

/** Pictures that are fetched at once, and in one run: a run ends within the grace of a stop. */
const AT_ONCE = 8;
const RUN_MAX = 32;

const TYPES: readonly string[] = Object.values(PICTURE_TYPES);

/** How a picture is fetched: `safeFetch`, or what a test puts in its place. */
export type FetchPicture = (
  address: string,
  types: readonly string[],
) => Promise<Pick<Fetched, 'contentType' | 'body'>>;

/**
 * Fetches the pictures that creators' profiles name, and has them served by our own origin under random names. A picture
 * that cannot be had changes nothing. Source: domain 1-network 15; reliability 3.9, 3.19.
 */
export class AvatarFetcher {
  constructor(
    private readonly queue: AvatarQueue,
    private readonly fetchPicture: FetchPicture,
    private readonly log: Pick<BaseShell['log'], 'info'>,
  ) {}

  /** Fetches what is due, some at once; answers how many were tried. `at` is the network's time. */
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
      if (picture === null) throw new TypeError('what was answered is no picture');
      await this.queue.keep(due, picture, `${randomBytes(16).toString('hex')}.${picture.ending}`, at);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      // The error's own text may hold the address, which may hold a handle.
      const why = error instanceof UnsafeFetch ? error.why : error instanceof Error ? error.name : 'unknown';
      this.log.info({ creator_id: due.creatorId, tries: due.tries, why }, 'a picture could not be had');
      await this.queue.failed(due);
    }
  }
}
