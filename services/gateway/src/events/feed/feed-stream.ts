import { Readable } from 'node:stream';
import { Deadline } from '@cds/service';
import type { Logger } from 'pino';
import { feedCursor } from './domain/feed-cursor.js';
import { HEARTBEAT_MS } from './domain/feed-times.js';
import { type Following, nextEvents } from './feed-page.js';
import type { FeedWatch } from './feed-watch.js';
import { type Feed, type FeedEvent, presentFeedEvent } from './store/feed.js';

const PAGE = 100;
const READ_MS = 8_000;
/** How soon a client connects again after its stream has ended, in milliseconds. */
const RETRY_MS = 2_000;
/** How long a client may take for what it was already sent once the stream or the process ends, in milliseconds. */
const LAST_READ_MS = 1_000;

/** What a stream needs. `mayGoOn` says before each send whether its caller may still read; `ended` frees its place. */
export type StreamParts = {
  feed: Pick<Feed, 'head' | 'next'>;
  watch: FeedWatch;
  mayGoOn: () => Promise<boolean>;
  ended: () => Promise<void>;
  log: Pick<Logger, 'warn'>;
  lastsMs: number;
};

const textOf = (ws: string, event: FeedEvent): string =>
  `id: ${feedCursor(ws, event.seq)}\nevent: ${event.kind}\ndata: ${JSON.stringify(presentFeedEvent(event))}\n\n`;

/**
 * A feed as Server-Sent Events (docs/domain/events.md#events). It ends after some minutes, when its caller may not read
 * any more, when the process stops, and when the database does not answer; a client then continues from its last id.
 */
export const feedStream = (from: Following, parts: StreamParts): Readable => {
  const gone = new AbortController();
  const sent = texts(from, parts, gone.signal);
  const endSoon = () => setTimeout(() => stream.destroy(), LAST_READ_MS).unref();
  // Also ends the time of a client that stopped reading, for which the generator never looks.
  const over = setTimeout(() => stream.destroy(), parts.lastsMs + LAST_READ_MS).unref();
  // Not Readable.from: that ends only once the generator has, which waits for the next event.
  const stream = new Readable({
    read() {
      void Deadline.detached(() => sent.next()).then(({ value, done }) => this.push(done === true ? null : value));
    },
    // Every stream is destroyed once, also one whose client left before its first byte.
    destroy(error, done) {
      gone.abort();
      clearTimeout(over);
      parts.watch.closing.removeEventListener('abort', endSoon);
      void sent.return(undefined);
      void Deadline.detached(() => Deadline.in(READ_MS).run(parts.ended)).catch(() => undefined);
      done(error);
    },
  });
  // A client that stopped reading would hold up a stopping process.
  parts.watch.closing.addEventListener('abort', endSoon, { once: true });
  return stream;
};

async function* texts(from: Following, parts: StreamParts, gone: AbortSignal): AsyncGenerator<string> {
  const { feed, watch, mayGoOn, log, lastsMs } = parts;
  const endsAt = performance.now() + lastsMs;
  let at = from;
  try {
    yield `retry: ${RETRY_MS}\n\n`;
    for (let isFirst = true; ; isFirst = false) {
      const { events, seq } = await Deadline.in(READ_MS).run(() => nextEvents(feed, at, PAGE));
      at = { ...at, seq };
      // Sent even without an event, so that a client can reconnect to its place: `latest` would skip what came
      // meanwhile.
      if (isFirst && events.length === 0) yield `id: ${feedCursor(at.ws, seq)}\n\n`;
      if (events.length > 0) {
        if (!(await Deadline.in(READ_MS).run(mayGoOn))) return;
        yield events.map((event) => textOf(at.ws, event)).join('');
      }
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0 || watch.closing.aborted || gone.aborted) return;
      if (events.length === PAGE) continue;
      const before = performance.now();
      await watch.later(at.ws, at.seq, Math.min(HEARTBEAT_MS, leftMs), gone);
      if (performance.now() - before < HEARTBEAT_MS) continue;
      if (!(await Deadline.in(READ_MS).run(mayGoOn))) return;
      yield `: nothing new\nid: ${feedCursor(at.ws, at.seq)}\n\n`;
    }
  } catch (err) {
    log.warn({ err }, 'a stream of events ended early; its client goes on from its last event');
  }
}
