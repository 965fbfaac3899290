import { type FeedEventResource, TEST_KIND } from '@cds/contracts';
import { namedUuid } from '@cds/service/named-uuid';

// What an endpoint is sent (docs/domain/events.md#webhooks).

/** The deliveries of one aggregate's events to one endpoint go one after the other, in a lane. */
export const laneOf = (endpointId: string, { type, id }: { type: string; id: string }): string =>
  `${endpointId}|${type}|${id}`;

/** What the lanes of aggregates of some types are called, at any endpoint. */
export const lanesOf = (types: readonly string[]): RegExp => new RegExp(`^[^|]+[|](${types.join('|')})[|]`);

/** The header webhook-id of an event at an endpoint: the same for every attempt and every replay. */
export const deliveryId = (endpointId: string, eventId: string): string => namedUuid('webhook', endpointId, eventId);

/** The body of an event, which never changes. */
export const eventBody = (event: FeedEventResource): string =>
  JSON.stringify({ type: event.kind, timestamp: event.at, data: event });

export const testBody = (endpointId: string, at: Date): string =>
  JSON.stringify({ type: TEST_KIND, timestamp: at.toISOString(), data: { webhook_id: endpointId } });
