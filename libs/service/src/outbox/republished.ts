import { type EventName, type EventPayload, eventByName, eventSubject } from '@cds/contracts';
import type { mongo } from 'mongoose';
import type { Collection } from '../store/collection.js';
import type { Outbox } from './outbox.js';

/** A republished event: the aggregate's current state. */
export type RepublishedEvent = { subject: string; payload: EventPayload<EventName> };

/** One kind of event, page by page by id, each aggregate in its current state; `next` is null after the last. */
export type Republished = {
  event: EventName;
  page: (after: string | null, limit: number) => Promise<{ events: readonly RepublishedEvent[]; next: string | null }>;
};

/** An event whose aggregates are the documents of one collection. `present` omits those that never had an event. */
export const republishedFrom = <N extends EventName, Row extends { _id: string }>(
  event: N,
  rows: Collection<Row>,
  present: (rows: Row[]) => readonly EventPayload<N>[] | Promise<readonly EventPayload<N>[]>,
): Republished => ({
  event,
  page: async (after, limit) => {
    const later = (after === null ? {} : { _id: { $gt: after } }) as mongo.Filter<Row>;
    const found = (await rows.find(later).sort({ _id: 1 }).limit(limit).toArray()) as Row[];
    const subject = eventSubject(eventByName(event));
    return {
      events: (await present(found)).map((payload) => ({ subject, payload })),
      next: found.length < limit ? null : (found.at(-1)?._id ?? null),
    };
  },
});

/** An event whose aggregates this service stores nowhere else: republishes what the outbox keeps. */
export const republishedFromOutbox = (event: EventName, outbox: Outbox): Republished => {
  const subject = eventSubject(eventByName(event));
  return {
    event,
    page: async (after, limit) => {
      const found = await outbox.rows
        .find({ kept: true, state: 'sent', subject, ...(after === null ? {} : { _id: { $gt: after } }) })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return {
        events: found.map((row) => ({ subject, payload: row.payload as EventPayload<EventName> })),
        next: found.length < limit ? null : (found.at(-1)?._id ?? null),
      };
    },
  };
};
