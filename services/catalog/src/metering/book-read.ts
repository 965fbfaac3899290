import { AppError, secondsUntil } from '@cds/contracts';
import { type Ctx, counterOf } from '@cds/service';
import type { MeterReason, MeterRefusal, MeterWant } from '../domain/meter/meter.js';
import type { Booking, Meters } from '../store/meters.js';

const refusals = counterOf('cds_meter_refusals_total');

const MESSAGES: Readonly<Record<MeterReason, (who: string, limit: number) => string>> = {
  per_minute: (who, limit) => `${who} made ${limit} creator reads this minute. Try again in the next minute.`,
  locked: (who, limit) =>
    `${who} opened ${limit} creators within ten minutes. Creator reads are paused until resets_at.`,
  daily_lists: (who, limit) => `${who} made ${limit} creator searches today. Search again after midnight UTC.`,
  daily_reveals: (who, limit) => `${who} opened ${limit} creators today. Open more after midnight UTC.`,
  daily_seen: (who, limit) =>
    `${who} saw ${limit} different creators today. Those stay readable; new ones appear after midnight UTC.`,
  daily_limit: (who, limit) =>
    `${who} sent ${limit} price requests in the last 24 hours, the most in all. Ask again after resets_at.`,
};

const forOneCreator = (who: string, limit: number): string =>
  `${who} sent ${limit} price requests for this creator in the last 24 hours, the most for one creator. Ask again after resets_at, or for another creator.`;

const WHO = {
  key: 'This key',
  session: 'You',
  parent: 'Your parent key and its child keys together',
  api: 'All keys of your brand together',
  workspace: 'All keys of your brand together',
} as const;

const limited = ({ reason, limit, resets_at, creator_id }: MeterRefusal, scope: keyof typeof WHO, at: Date): AppError =>
  new AppError('rate_limited', (creator_id === undefined ? MESSAGES[reason] : forOneCreator)(WHO[scope], limit), {
    reason,
    scope,
    limit,
    ...(creator_id !== undefined && { creator_id }),
    resets_at: resets_at.toISOString(),
    retry_after: secondsUntil(resets_at, at),
  });

export const meteredWorkspace = ({ principal: { workspace, reads_workspace: reads } }: Ctx): string =>
  reads === '' ? workspace : reads;

/** A person's reads count apart from keys'; a child's on its parent, whose equal limits would refuse first. */
export const keyCounted = ({ principal }: Ctx): { id: string; scope: 'key' | 'parent' | 'session' } | null => {
  const { key, parent, person } = principal;
  if (person !== undefined) return { id: `person:${person.id}`, scope: 'session' };
  if (key === '') return null;
  return parent === undefined ? { id: key, scope: 'key' } : { id: parent.key, scope: 'parent' };
};

export const askerOf = ({ principal: { workspace, reads_workspace: reads } }: Ctx): string | null =>
  reads === '' || reads === workspace ? null : workspace;

/** The creators that may be shown, in list order (docs/domain/network.md#read-limits). Raises rate_limited. */
export const bookRead = async (
  ctx: Ctx,
  meters: Pick<Meters, 'book'>,
  read: Pick<MeterWant, 'kind' | 'creators'> & { askId?: string },
): Promise<Booking> => {
  const counted = keyCounted(ctx);
  const booking = await meters.book(
    meteredWorkspace(ctx),
    {
      attemptId: ctx.attemptId,
      key: counted?.id ?? null,
      ofPerson: counted?.scope === 'session',
      kind: read.kind,
      creators: read.creators,
      askId: read.askId ?? null,
      asker: askerOf(ctx),
    },
    ctx.networkNow,
  );
  if (booking.refused !== null) {
    const { refused } = booking;
    const scope = refused.scope === 'key' ? (counted?.scope ?? 'key') : refused.scope;
    refusals.add(1, { reason: refused.reason, scope });
    throw limited(refused, scope, booking.at);
  }
  return booking;
};
