import { AppError, badRequest, type FeedKind, feedKindsIn, type Principal } from '@cds/contracts';
import { feedPlaceIn } from './domain/feed-cursor.js';
import { viewOf } from './domain/feed-view.js';
import type { Feed, FeedEvent } from './store/feed.js';

export type Following = { ws: string; seq: number; kinds: readonly FeedKind[] | undefined };

const LATEST = 'latest';

/**
 * Where a caller continues, and what it sees. Raises forbidden for kinds that need a scope which the key lacks, and
 * bad_request for a cursor of another feed or of events that are no longer kept.
 */
export const followingOf = async (
  feed: Feed,
  { workspace: ws, scopes }: Principal,
  { cursor, kind }: { cursor?: string | undefined; kind?: string | undefined },
): Promise<Following> => {
  const view = viewOf(scopes, kind === undefined ? null : feedKindsIn(kind));
  if ('missing' in view)
    throw new AppError(
      'forbidden',
      `Events of these kinds take the scope ${view.missing}, which this key lacks. Leave them out, or use another key.`,
      { scope: view.missing },
    );
  return { ws, seq: await placeOf(feed, ws, cursor), kinds: view.kinds };
};

const placeOf = async (feed: Feed, ws: string, cursor: string | undefined): Promise<number> => {
  if (cursor === undefined) return 0;
  if (cursor === LATEST) return feed.head(ws);
  const seq = await placeAfter(feed, ws, cursor);
  if (seq === 'foreign') throw foreignCursor();
  if (seq === 'expired') throw expiredCursor();
  return seq;
};

/**
 * The place of a cursor that a page of this workspace gave; `expired` once events after it are no longer kept. What a
 * reset removed is not missed: its event says that nothing from before is left. The reads follow one another, so that a
 * reset between them does not make a valid cursor look expired.
 */
export const placeAfter = async (feed: Feed, ws: string, cursor: string): Promise<number | 'foreign' | 'expired'> => {
  const seq = feedPlaceIn(ws, cursor);
  if (seq === null || seq > (await feed.head(ws))) return 'foreign';
  return seq + 1 < (await feed.oldest(ws)) && !(await feed.endsInReset(ws, seq)) ? 'expired' : seq;
};

const foreignCursor = (): AppError =>
  badRequest([{ field: 'cursor', message: 'must be the next of an answer to this workspace, or latest' }]);

const expiredCursor = (): AppError => {
  const message = 'is older than the oldest event kept; read the state again, then go on from latest or without cursor';
  return new AppError('bad_request', `The cursor ${message}.`, {
    reason: 'cursor_expired',
    problems: [{ field: 'cursor', message }],
  });
};

/** The next events for a caller, and its next place: after the last of them, or after all that it does not see. */
export const nextEvents = async (
  feed: Pick<Feed, 'head' | 'next'>,
  following: Following,
  limit: number,
): Promise<{ events: FeedEvent[]; seq: number }> => feed.next(following, await feed.head(following.ws), limit);
