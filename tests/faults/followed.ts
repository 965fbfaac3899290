import { isDeepStrictEqual } from 'node:util';
import type { FeedEventResource } from '@cds/contracts';

type Sent = { headers: Record<string, unknown>; body: string };

const named = ({ aggregate, version }: FeedEventResource): string =>
  `${aggregate.type} ${aggregate.id} version ${version}`;

/** A reader has every event of the feed, once, in its order. Each sentence names what is wrong. */
export const wrongWithFollowed = (
  who: string,
  ids: readonly string[],
  feed: readonly FeedEventResource[],
): string[] => {
  const had = new Set(ids);
  const known = new Set(feed.map(({ id }) => id));
  const wrong = [
    ...feed.filter(({ id }) => !had.has(id)).map((event) => `I69: ${who} lost ${named(event)}`),
    ...ids.filter((id) => !known.has(id)).map((id) => `I69: ${who} had ${id}, which the feed has not`),
    ...(had.size < ids.length ? [`I69: ${who} had ${ids.length - had.size} events twice`] : []),
  ];
  const inOrder = feed.every(({ id }, at) => ids[at] === id);
  return wrong.length === 0 && !inOrder ? [`I69: ${who} had the events in another order than the feed`] : wrong;
};

/**
 * Once what came again under its id is left out, a receiver has every event of the feed, as the feed has it, and those
 * of one aggregate in their order (docs/domain/events.md#webhooks). Those of `before`, the endpoint, may be missing.
 */
export const wrongWithWebhooks = (
  who: string,
  sent: readonly Sent[],
  feed: readonly FeedEventResource[],
  before: ReadonlySet<string> = new Set(),
): string[] => {
  const wrong: string[] = [];
  const bodies = new Map<string, string>();
  const versions = new Map<string, number>();
  const arrived = new Map<string, FeedEventResource>();
  for (const { headers, body } of sent) {
    const id = String(headers['webhook-id']);
    const before = bodies.get(id);
    if (before !== undefined) {
      if (before !== body) wrong.push(`${who}: ${id} came again with another body`);
      continue;
    }
    bodies.set(id, body);
    const event = (JSON.parse(body) as { data: FeedEventResource }).data;
    if (arrived.has(event.id)) wrong.push(`${who}: ${named(event)} came under two ids`);
    arrived.set(event.id, event);
    const aggregate = `${event.aggregate.type} ${event.aggregate.id}`;
    if ((versions.get(aggregate) ?? 0) >= event.version) wrong.push(`${who}: ${named(event)} came after a later one`);
    versions.set(aggregate, event.version);
  }
  for (const event of feed) {
    const had = arrived.get(event.id);
    if (had === undefined) {
      if (!before.has(event.id)) wrong.push(`${who}: ${named(event)} never came`);
    } else if (!isDeepStrictEqual(had, event)) wrong.push(`${who}: ${named(event)} differs from the feed's`);
  }
  const known = new Set(feed.map(({ id }) => id));
  for (const [id, event] of arrived) if (!known.has(id)) wrong.push(`${who}: ${named(event)} is not in the feed`);
  return wrong;
};

/** A message whose gateway was killed before it had the answer comes again, under the same id. */
export const wrongWithKilled = (who: string, sent: readonly Sent[], killed: ReadonlySet<string>): string[] => {
  const counts = new Map<string, number>();
  for (const { headers } of sent) {
    const id = String(headers['webhook-id']);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...killed]
    .filter((id) => (counts.get(id) ?? 0) < 2)
    .map((id) => `${who}: ${id} was killed and never came again`);
};
