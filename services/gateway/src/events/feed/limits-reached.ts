import { Deadline, inTx, retryLostRaces, type Store } from '@cds/service';
import type { LogRow } from '../../edge/port.js';
import { limitFact } from './domain/feed-events.js';
import { eventOf, type Feed, type NewFeedEvent } from './store/feed.js';

const ADD_MS = 8_000;

/**
 * Adds the limits that refused requests to the feeds of their workspaces, once in each UTC hour, off the path of the
 * requests (docs/domain/events.md#events).
 */
export const limitsReached =
  (feed: Feed, store: Store) =>
  async (rows: readonly LogRow[]): Promise<void> => {
    const reached = new Map<string, NewFeedEvent>();
    for (const row of rows) {
      const { code, reason, rehearsed } = row;
      if (code !== 'rate_limited' || reason === null || rehearsed) continue;
      const event = eventOf(limitFact({ ...row, reason }), row.at);
      const hour = `${event.aggregate.id}|${event.version}`;
      // The first of the hour says when the limit was reached.
      if (!reached.has(hour)) reached.set(hour, event);
    }
    for (const event of reached.values()) {
      if ((await feed.versionOf(event)) >= event.version) continue;
      const deadline = Deadline.in(ADD_MS);
      await retryLostRaces(deadline, () => inTx(store, deadline, (tx) => feed.add(tx, event)));
    }
  };
