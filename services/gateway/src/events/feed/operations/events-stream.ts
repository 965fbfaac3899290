import { AppError, LIMITS, secondsUntil } from '@cds/contracts';
import type { BaseShell, ReadHandler } from '@cds/service';
import { Streamed } from '../../../edge/port.js';
import { STREAM_MS } from '../domain/feed-times.js';
import { followingOf } from '../feed-page.js';
import { feedStream } from '../feed-stream.js';
import { mayRead } from '../may-read.js';
import { type FeedStreams, type StreamCaller, streamCallerOf } from '../store/feed-streams.js';
import type { FeedDeps } from './events-list.js';

export type StreamDeps = FeedDeps & {
  feedStreams: FeedStreams;
  shell: Pick<BaseShell, 'store' | 'log'>;
};

/**
 * What happens in the workspace after a cursor, as Server-Sent Events. Raises what GET /events does, and rate_limited
 * (stream_limit) when the caller has too many streams open. Source: docs/domain/events.md#events.
 */
export const eventsStream: ReadHandler<'events_stream', StreamDeps> = async (ctx, input, deps) => {
  const { feed, feedWatch, feedStreams, shell } = deps;
  const { principal } = ctx;
  const caller = streamCallerOf(principal);
  const following = await followingOf(feed, principal, input);
  const lastsMs = input.seconds === undefined ? STREAM_MS : input.seconds * 1_000;
  const opened = await feedStreams.open(caller, lastsMs);
  if ('opensAt' in opened) throw tooManyStreams(caller, opened.opensAt, ctx.networkNow);

  return new Streamed(
    feedStream(following, {
      feed,
      watch: feedWatch,
      mayGoOn: () => mayRead(principal, deps),
      ended: () => feedStreams.close(caller, opened.id),
      log: shell.log,
      lastsMs,
    }),
  );
};

const tooManyStreams = ({ scope }: StreamCaller, opensAt: Date, now: Date): AppError => {
  const { limit } = LIMITS.stream_limit;
  return new AppError(
    'rate_limited',
    `This ${scope} already has ${limit} streams of events open. Close one, or wait until resets_at.`,
    {
      reason: 'stream_limit',
      scope,
      limit,
      resets_at: opensAt.toISOString(),
      retry_after: secondsUntil(opensAt, now),
    },
  );
};
