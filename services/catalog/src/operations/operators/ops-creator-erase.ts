import type { WriteHandler } from '@cds/service';
import { erased } from '../../domain/creator/leaving.js';
import type { IdentityChores } from '../../identity/identity-chores.js';
import type { OperatorCreatorService } from '../../operators/operator-creator-service.js';
import type { OperatedCreators } from '../../store/operated-creators.js';
import type { PriceAsks } from '../../store/price-asks.js';

/**
 * Also those merged into it; identity follows a moment later (docs/domain/network.md#creators-who-leave). Raises
 * not_found, conflict (bad_state).
 */
export const opsCreatorErase: WriteHandler<
  'ops_creator_erase',
  {
    operatorCreators: OperatorCreatorService;
    operated: OperatedCreators;
    priceAsks: PriceAsks;
    chores: Pick<IdentityChores, 'soon'>;
  }
> = async (ctx, input, { operatorCreators, operated, priceAsks, chores }) => {
  const held = await operatorCreators.toChange(input.id);
  const others = await operated.mergedInto(held.creator._id);

  return operatorCreators.change(
    ctx,
    // The answer is stored for a week, so it must name nobody.
    { ...held, identity: null },
    {
      action: 'creator.erased',
      reason: input.reason,
      set: erased(held.creator, ctx.networkNow),
      also: async (tx) => {
        for (const other of others) await operated.change(tx, other, erased(other, ctx.networkNow));
        await priceAsks.endAll(tx, held.creator._id, 'closed', ctx.networkNow);
      },
      committed: () => chores.soon(),
    },
  );
};
