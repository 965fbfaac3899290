import type { Feed } from '../events/feed/store/feed.js';

/**
 * Lets something happen once, right before the next call of a read of the feed or right after it, as it may when
 * another process does it.
 */
export const meanwhile = (
  feed: Feed,
  read: 'first' | 'oldest',
  when: 'before' | 'after',
  happens: () => Promise<unknown>,
): void => {
  Object.defineProperty(feed, read, {
    configurable: true,
    value: async (ws: string) => {
      Reflect.deleteProperty(feed, read);
      if (when === 'before') await happens();
      const found = await feed[read](ws);
      if (when === 'after') await happens();
      return found;
    },
  });
};
