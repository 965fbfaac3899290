import { AppError, LIMITS, type Principal, type Scope, secondsUntil } from '@cds/contracts';
import type { BaseShell, ReadHandler } from '@cds/service';
import { STREAM_MS } from '../domain/constants.js';
import { scopesOf } from '../domain/roles.js';
import { Streamed } from '../edge/streamed.js';
import { followingOf } from '../feed/feed-page.js';
import { feedStream } from '../feed/feed-stream.js';
import type { PeopleModule } from '../people/module.js';
import { type FeedStreams, type StreamCaller, streamCallerOf } from '../store/feed-streams.js';
import type { Keys } from '../store/keys.js';
import type { OAuthRows } from '../store/oauth-rows.js';
import type { FeedDeps } from './events-list.js';

export type StreamDeps = FeedDeps & {
  feedStreams: FeedStreams;
  keys: Pick<Keys, 'activeInForce'>;
  oauthRows: Pick<OAuthRows, 'grant'>;
  people: Pick<PeopleModule, 'admission'>;
  shell: Pick<BaseShell, 'store' | 'log'>;
};

/**
 * What happens in the workspace after a cursor, as Server-Sent Events. Raises what GET /events does, and rate_limited
 * (stream_limit) when the caller has too many streams open. Source: docs/domain/access.md#events.
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

/** Whether the caller may read now what it could when the stream began, as a request of it would be admitted. */
const mayRead = async (principal: Principal, deps: StreamDeps): Promise<boolean> => {
  const now = await (principal.person === undefined ? keyNow(principal, deps) : personNow(principal, deps));
  return now !== null && !now.suspended && principal.scopes.every((scope) => now.scopes.includes(scope));
};

/** What a caller may do now. */
type Now = { scopes: readonly Scope[]; suspended: boolean };

/** A key within its parent; null once either has ended, or the grant of a client that acts as the key. */
const keyNow = async (
  { workspace, key, parent, grant }: Principal,
  { keys, oauthRows }: StreamDeps,
): Promise<Now | null> => {
  if (grant !== undefined && (await oauthRows.grant(grant)) === null) return null;
  return keys.activeInForce(workspace, key, parent?.key);
};

/** A person by the role of now; null once the session has ended or is in another workspace. */
const personNow = async ({ workspace, person }: Principal, { people }: StreamDeps): Promise<Now | null> => {
  const found = person?.session === undefined ? null : await people.admission.again(person.session);
  if (found === null || found.ownKey.ws !== workspace) return null;
  return { scopes: scopesOf(found.member.role), suspended: found.ownKey.suspended };
};

const tooManyStreams = ({ scope }: StreamCaller, opensAt: Date, now: Date): AppError => {
  const { limit } = LIMITS.stream_limit;
  return new AppError('rate_limited', `This ${scope} has its ${limit} streams of events open. Close one, or wait.`, {
    reason: 'stream_limit',
    scope,
    limit,
    resets_at: opensAt.toISOString(),
    retry_after: secondsUntil(opensAt, now),
  });
};
