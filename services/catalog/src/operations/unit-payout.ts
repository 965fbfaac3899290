import type { ReadHandler } from '@cds/service';
import type { OperatedCreators } from '../store/operated-creators.js';

/**
 * The newest ask behind an all-in price of a unit, in US cents: what its creator is paid. Null when no ask on file led
 * to that price, as with a price that a sandbox overrides. Source: docs/domain/access.md#creator-links.
 */
export const unitPayout: ReadHandler<'unit_payout', { operated: Pick<OperatedCreators, 'askBehind'> }> = async (
  _ctx,
  { unit_id, price_cents },
  { operated },
) => ({ payout_cents: await operated.askBehind(unit_id, price_cents) });
