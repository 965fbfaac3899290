import type { ReadHandler } from '@cds/service';
import { meterPools } from '../domain/meter/pools.js';
import { askerOf, keyCounted, meteredWorkspace } from '../metering/book-read.js';
import type { Meters } from '../store/meters.js';

/** Source: docs/domain/requests.md#limits. */
export const readLimits: ReadHandler<'read_limits', { meters: Pick<Meters, 'held'> }> = async (
  ctx,
  _input,
  { meters },
) => {
  const counted = keyCounted(ctx);
  const held = await meters.held(meteredWorkspace(ctx), counted?.id ?? null, askerOf(ctx));

  return { limits: meterPools(held, counted?.scope ?? null, ctx.networkNow) };
};
