import type { EventData } from './event-data.js';
import type { Answer, CallOptions, Clock } from './options.js';

export type EventKind = keyof EventData;

type EventOf<Kind extends EventKind> = {
  id: string;
  /** When it happened, ISO 8601. */
  at: string;
  kind: Kind;
  aggregate: { type: Kind extends `${infer Type}.${string}` ? Type : never; id: string };
  /** Counts the aggregate's events; they arrive in this order. */
  version: number;
  data: EventData[Kind];
};

/**
 * Something that happened to a campaign, a plan, a line, an order or another aggregate of the workspace. A check of
 * `kind` tells what `data` is.
 */
export type CdsEvent<Kind extends EventKind = EventKind> = { [K in Kind]: EventOf<K> }[Kind];

export type FollowOptions = Pick<CallOptions, 'signal' | 'timeoutMs' | 'retry'> & {
  /** Where to continue: the `cursor` of an earlier feed, or `latest`. By default, the oldest event that is kept. */
  cursor?: string | undefined;
  /** Only events of these kinds, comma separated. */
  kind?: string | undefined;
  /** Events in a request, 1 to 200. */
  limit?: number | undefined;
  /**
   * How long to wait between requests while there is nothing new, where the service does not hold its answer until
   * there is. 5,000 ms by default: twelve of the key's 60 requests a minute.
   */
  pollMs?: number | undefined;
  /** Ends with the newest event instead of waiting for more. */
  untilNow?: boolean | undefined;
};

/** Events in order, as they happen. `cursor` is where to continue after those that were read. */
export type EventFeed = AsyncIterable<CdsEvent> & { readonly cursor: string | null };

type Page = { events: CdsEvent[]; next: string | null };
type Load = (query: Record<string, unknown>, options: CallOptions) => Promise<Answer<unknown>>;

const POLL_MS = 5_000;
/** How long a service that waits may hold its answer, in seconds: less than an attempt may take. */
const WAIT_S = 20;
const HELD_TIMEOUT_MS = 30_000;
/** An empty answer that came sooner was not held. */
const HELD_LEAST_MS = 1_000;

/**
 * Follows the workspace's events. The cursor moves once the reader asks for the event after a page's last, so what was
 * not read comes again. Ends when the signal is aborted, by throwing its reason.
 */
export const follow = (load: Load, waits: boolean, clock: Clock, options: FollowOptions): EventFeed => {
  const { kind, limit, pollMs = POLL_MS, untilNow = false, ...call } = options;
  const held = waits && !untilNow;
  const patient = held ? { ...call, timeoutMs: HELD_TIMEOUT_MS } : call;
  let cursor = options.cursor ?? null;
  async function* events(): AsyncGenerator<CdsEvent> {
    let seen: ReadonlySet<string> = new Set();
    for (;;) {
      // What comes while a held answer is lost would be passed by another `latest`, so that one is answered at once.
      const isPlaced = cursor !== 'latest';
      const wait = held && isPlaced ? WAIT_S : undefined;
      const asked = clock.now();
      const { value } = await load({ cursor: cursor ?? undefined, kind, limit, wait }, patient);
      const page = value as Page;
      const fresh = page.events.filter(({ id }) => !seen.has(id));
      yield* fresh;
      seen = new Set(page.events.map(({ id }) => id));
      cursor = page.next ?? cursor;
      if (fresh.length > 0) continue;
      if (untilNow) return;
      if (!isPlaced && cursor !== 'latest') continue;
      // An answer that was not held, for whatever reason, must not be asked for again at once.
      if (clock.now() - asked < HELD_LEAST_MS) await clock.sleep(pollMs, call.signal);
    }
  }
  const feed = events();
  return {
    get cursor() {
      return cursor;
    },
    [Symbol.asyncIterator]: () => feed,
  };
};
