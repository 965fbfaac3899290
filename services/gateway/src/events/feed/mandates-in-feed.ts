import type { MandateFeed } from '../../accounts/port.js';
import { mandateFact } from './domain/feed-events.js';
import { eventOf, type Feed } from './store/feed.js';

export const mandateFeed = (feed: Pick<Feed, 'add' | 'addOwn'>): MandateFeed => ({
  addAll: (tx, ws, rows) =>
    feed.addOwn(
      tx,
      ws,
      rows.map((row) => eventOf(mandateFact(row), row.at)),
    ),
  add: async (tx, row, at) => (await feed.add(tx, eventOf(mandateFact(row), at))) === 'added',
});
