import { conflict } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { vetMove } from '../../domain/vetting/operator-moves.js';
import type { OperatorCreatorService } from '../../operators/operator-creator-service.js';

/** Raises not_found, conflict (bad_state). Source: docs/domain/network.md#status-changes. */
export const opsCreatorVet: WriteHandler<'ops_creator_vet', { operatorCreators: OperatorCreatorService }> = async (
  ctx,
  input,
  { operatorCreators },
) => {
  const held = await operatorCreators.toChange(input.id);

  const move = vetMove(held.creator, input.decision, ctx.networkNow);
  if ('illegal' in move) throw conflict('bad_state', move.illegal);

  return operatorCreators.change(ctx, held, {
    action: `creator.vetted_${input.decision}`,
    reason: input.reason,
    set: move.set,
  });
};
