import { randomUUID } from 'node:crypto';
import { conflict } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { isBookable } from '../../domain/creator/bookable.js';
import { gainedRow, merged } from '../../domain/creator/leaving.js';
import type { IdentityChores } from '../../identity/identity-chores.js';
import type { OperatorCreatorService } from '../../operators/operator-creator-service.js';
import type { OperatedCreators } from '../../store/operated-creators.js';
import type { PriceAsks } from '../../store/price-asks.js';

/**
 * Identity moves to the survivor a moment later; formats that it gains answer its open asks
 * (docs/domain/network.md#creators-who-leave). Raises not_found for either, conflict (bad_state).
 */
export const opsCreatorMerge: WriteHandler<
  'ops_creator_merge',
  {
    operatorCreators: OperatorCreatorService;
    operated: OperatedCreators;
    priceAsks: PriceAsks;
    chores: Pick<IdentityChores, 'soon'>;
  }
> = async (ctx, input, { operatorCreators, operated, priceAsks, chores }) => {
  const held = await operatorCreators.toChange(input.id);
  const { creator: survivor } = await operatorCreators.load(input.into);
  const others = await operated.mergedInto(held.creator._id);

  const merge = merged(held.creator, survivor, others, randomUUID);
  if ('illegal' in merge) throw conflict('bad_state', merge.illegal);
  const onSale = isBookable({ ...survivor, ...merge.into }, dayOf(ctx.networkNow));
  const rows = await Promise.all(
    merge.gained.map(async ({ unit, of }) => {
      const row = await operated.priceRow(of);
      return row === null ? [] : [gainedRow(row, unit, survivor._id, randomUUID())];
    }),
  );

  return operatorCreators.change(ctx, held, {
    action: 'creator.merged',
    reason: input.reason,
    set: merge.from,
    also: async (tx) => {
      await operated.change(tx, survivor, merge.into);
      for (const other of others) await operated.change(tx, other, merge.earlier(other));
      for (const row of rows.flat()) await operated.addPrice(tx, row);
      if (onSale) await priceAsks.endAll(tx, survivor._id, 'priced', ctx.networkNow);
      await priceAsks.endAll(tx, held.creator._id, 'closed', ctx.networkNow);
    },
    committed: () => chores.soon(),
  });
};
