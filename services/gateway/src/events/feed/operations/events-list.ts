import type { ReadHandler } from '@cds/service';
import { feedCursor } from '../domain/feed-cursor.js';
import { followingOf, nextEvents } from '../feed-page.js';
import type { FeedWatch } from '../feed-watch.js';
import { type CallerDeps, mayRead } from '../may-read.js';
import { type Feed, presentFeedEvent } from '../store/feed.js';

export type FeedDeps = CallerDeps & { feed: Feed; feedWatch: FeedWatch };

const PAGE = 50;
/** What reading the page takes before the deadline, in milliseconds. */
const READ_MS = 2_000;

/**
 * What happened in the workspace after a cursor, oldest first; with `wait`, as soon as there is something. A caller
 * that has ended meanwhile gets an empty page, and its next request says why. Raises bad_request for a cursor that no
 * answer gave or whose events are gone, forbidden for a kind without its scope. Source: docs/domain/events.md#events.
 */
export const eventsList: ReadHandler<'events_list', FeedDeps> = async (ctx, input, deps) => {
  const { feed, feedWatch } = deps;
  const { limit = PAGE, wait = 0 } = input;
  const following = await followingOf(feed, ctx.principal, input);

  let page = await nextEvents(feed, following, limit);
  const atOnce = page.events.length > 0;
  const endsAt = performance.now() + Math.min(wait * 1_000, ctx.deadline.remainingMs() - READ_MS);
  while (page.events.length === 0 && performance.now() < endsAt && !feedWatch.closing.aborted) {
    await feedWatch.later(following.ws, page.seq, endsAt - performance.now());
    page = await nextEvents(feed, { ...following, seq: page.seq }, limit);
  }
  if (!atOnce && page.events.length > 0 && !(await mayRead(ctx.principal, deps)))
    return { events: [], next: feedCursor(following.ws, following.seq) };

  return { events: page.events.map(presentFeedEvent), next: feedCursor(following.ws, page.seq) };
};
