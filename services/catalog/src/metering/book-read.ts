import { AppError, secondsUntil } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import type { MeterReason, MeterRefusal, MeterWant } from '../domain/meter/meter.js';
import type { Booking, Meters } from '../store/meters.js';

const MESSAGES: Readonly<Record<MeterReason, (limit: number) => string>> = {
  per_minute: (limit) => `${limit} creator reads a minute are used up. Wait for the next minute.`,
  locked: (limit) =>
    `${limit} creators were opened within ten minutes, so creator reads pause. Wait for the end of the pause.`,
  daily_lists: (limit) => `${limit} searches of today are used up. Search again after midnight UTC.`,
  daily_reveals: (limit) => `${limit} creators were opened today. Open more after midnight UTC.`,
  daily_seen: (limit) =>
    `${limit} different creators were shown today. Those stay readable; new ones come after midnight UTC.`,
  daily_limit: (limit) => `${limit} price requests were sent within 24 hours. Ask again when the oldest is a day old.`,
};

const limited = ({ reason, scope, limit, resets_at }: MeterRefusal, at: Date): AppError =>
  new AppError('rate_limited', MESSAGES[reason](limit), {
    reason,
    ...(scope !== null && { scope }),
    limit,
    resets_at: resets_at.toISOString(),
    retry_after: secondsUntil(resets_at, at),
  });

/** The workspace whose meter a request is booked on: its brand's, when its own reads are booked there. */
export const meteredWorkspace = ({ principal: { workspace, reads_workspace: reads } }: Ctx): string =>
  reads === '' ? workspace : reads;

/** The workspace whose price asks a request counts with; null for the metered one. A sandbox has limits of its own for asks. */
export const askerOf = ({ principal: { workspace, reads_workspace: reads } }: Ctx): string | null =>
  reads === '' || reads === workspace ? null : workspace;

/**
 * Books a read of creators for the request's key and for the workspace of its brand that reads are booked in, and
 * answers which creators it may show, in list order. Raises rate_limited with the limit that refused it. Source: domain
 * 1-network 10; domain 4-doors 3.3; reliability 3.8.
 */
export const bookRead = async (
  ctx: Ctx,
  meters: Pick<Meters, 'book'>,
  read: Pick<MeterWant, 'kind' | 'creators'> & { askId?: string },
): Promise<Booking> => {
  const { key } = ctx.principal;
  const booking = await meters.book(
    meteredWorkspace(ctx),
    {
      attemptId: ctx.attemptId,
      key: key === '' ? null : key,
      kind: read.kind,
      creators: read.creators,
      askId: read.askId ?? null,
      asker: askerOf(ctx),
    },
    ctx.deadline.remainingMs(),
  );
  if (booking.refused !== null) throw limited(booking.refused, booking.at);
  return booking;
};
