import { type EventName, type EventPayload, unavailable } from '@cds/contracts';
import { type Consumer, consumerOf } from '@cds/service';
import { campaignFact, type Fact, lineFact, orderFact, planFact, postFact, readingFact } from './domain/feed-events.js';
import { EARLIER_VERSION_MS } from './domain/feed-times.js';
import { eventOf, type Feed } from './store/feed.js';

/** Adds the events of the other services to the feed of their workspace (docs/reliability.md#events-feed). */
export const onFeedEvents = (feed: Feed): Consumer[] => {
  const follows = <N extends EventName>(event: N, factOf: (payload: EventPayload<N>) => Fact): Consumer =>
    consumerOf<N>({
      event,
      applyAll: async (tx, events, at) => {
        const added = await feed.addAll(
          tx,
          events.map(({ payload, committedAt }) => takenAs(factOf(payload), at, committedAt)),
        );
        // Another replica has the version before it: this one comes back, and is then next.
        if (added.includes('early')) throw unavailable('An earlier version of the same aggregate is still on its way.');
      },
    });
  return [
    follows('campaign.changed', campaignFact),
    follows('plan.changed', planFact),
    follows('order.changed', orderFact),
    follows('line.changed', lineFact),
    follows('post.changed', postFact),
    follows('reading.taken', readingFact),
  ];
};

const takenAs = (fact: Fact, at: Date, committedAt: Date | null) => {
  const young = committedAt !== null && at.getTime() - committedAt.getTime() < EARLIER_VERSION_MS;
  return {
    event: eventOf(fact, committedAt ?? at),
    takes: fact.dense && young ? ('next only' as const) : ('newer' as const),
  };
};
