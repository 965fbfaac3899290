import { setTimeout as delay } from 'node:timers/promises';
import type { FeedEventResource, FeedPage } from '@cds/contracts';
import { FeedFold } from '../support/feed-fold.js';
import { ask, type SharedStack } from '../support/stack.js';
import type { Random } from './random.js';

const AGAIN_MS = 50;
const WAIT_S = 2;

export class Followed {
  readonly fold = new FeedFold();
  readonly ids: string[] = [];
  /** How often it had to ask again, because nobody answered or an answer broke off. */
  interruptions = 0;
  sending = false;
  /** How often a stream broke off after its first event, and how often the next one went on from there. */
  cut = 0;
  resumed = 0;

  /** Raises when an event comes twice, or breaks the order of its aggregate. */
  take(event: FeedEventResource): void {
    this.fold.take(event);
    this.ids.push(event.id);
  }
}

type Follower = { followed: Followed; stop: () => Promise<void> };

/** Runs a follower's turns until it is stopped; a turn that fails is taken again, unless an event was wrong. */
const following = (followed: Followed, turn: (gone: AbortSignal) => Promise<void>): Follower => {
  const gone = new AbortController();
  const running = (async () => {
    while (!gone.signal.aborted) {
      try {
        await turn(gone.signal);
      } catch (error) {
        if (error instanceof OutOfOrder) throw error;
        followed.interruptions += 1;
        await delay(AGAIN_MS);
      }
    }
  })();
  // It is awaited by stop; until then a failure waits for that.
  running.catch(() => undefined);
  return {
    followed,
    stop: () => {
      gone.abort();
      return running;
    },
  };
};

/** An event that came twice or too early; it ends its follower, and fails the run. */
class OutOfOrder extends Error {}

const taken = (followed: Followed, event: FeedEventResource): void => {
  try {
    followed.take(event);
  } catch (error) {
    throw new OutOfOrder(String(error));
  }
};

/** Follows by GET /events: after every page it continues from its cursor, and after a failure from the last one. */
export const byCursor = (stack: SharedStack, key: string, random: Random): Follower => {
  const followed = new Followed();
  let cursor: string | undefined;
  return following(followed, async () => {
    const limit = Math.floor(random.between(1, 40));
    const from = cursor === undefined ? {} : { cursor };
    const { status, body } = await ask(stack, key, 'events_list', { limit, wait: WAIT_S, ...from });
    if (status !== 200) throw new Error(`the feed answered ${status}`);
    const page = body as FeedPage;
    for (const event of page.events) taken(followed, event);
    cursor = page.next;
  });
};

type Message = { id: string | undefined; data: string };

/** The messages of a stream that have come whole; what a break left half is dropped, as by any client. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const whole = text.split('\n\n');
    text = whole.pop() ?? '';
    for (const message of whole) {
      const fields = new Map(message.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
      const data = fields.get('data');
      if (data !== undefined) yield { id: fields.get('id'), data };
    }
  }
}

export const byStream = (stack: SharedStack, key: string): Follower => {
  const followed = new Followed();
  let last: string | undefined;
  let wasCut = false;
  return following(followed, async (signal) => {
    const headers = { authorization: `Bearer ${key}`, ...(last === undefined ? {} : { 'last-event-id': last }) };
    const response = await fetch(`${stack.apiUrl}/events/stream`, { headers, signal }).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (response === null) return;
    if (response.status !== 200 || response.body === null) throw new Error(`the stream answered ${response.status}`);
    try {
      for await (const { id, data } of messagesOf(response.body)) {
        taken(followed, JSON.parse(data) as FeedEventResource);
        last = id;
        if (wasCut) followed.resumed += 1;
        wasCut = false;
        followed.sending = true;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (followed.sending) followed.cut += 1;
      wasCut ||= followed.sending;
      throw error;
    } finally {
      followed.sending = false;
    }
  });
};

export const readWhole = async (stack: SharedStack, key: string): Promise<FeedEventResource[]> => {
  const all: FeedEventResource[] = [];
  for (let cursor: string | undefined; ; ) {
    const from = cursor === undefined ? {} : { cursor };
    const { status, body } = await ask(stack, key, 'events_list', { limit: 200, ...from });
    if (status !== 200) throw new Error(`the feed answered ${status}`);
    const page = body as FeedPage;
    if (page.events.length === 0) return all;
    all.push(...page.events);
    cursor = page.next;
  }
};
