import type { Input } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import type { Creator, Pinned } from '../../domain/creator/creator.js';
import { withPins } from '../../domain/creator/weights.js';
import type { Operated, OperatorCreatorService } from '../../operators/operator-creator-service.js';

/** Null ends a pin. Raises not_found, conflict (bad_state). Source: docs/domain/operators.md#operators. */
export const opsCreatorChange: WriteHandler<
  'ops_creator_change',
  { operatorCreators: OperatorCreatorService }
> = async (ctx, input, { operatorCreators }) => {
  const held = await operatorCreators.toChange(input.id);

  return operatorCreators.change(ctx, held, {
    action: 'creator.changed',
    reason: input.reason,
    set: changesOf(held, input),
  });
};

const changesOf = ({ creator, clean }: Operated, input: Input<'ops_creator_change'>): Partial<Creator> => {
  const before: Pinned = creator.pinned ?? { weights: null, flag: null, language: false };
  const pinned: Pinned = {
    ...before,
    ...(input.segments === undefined
      ? {}
      : { weights: input.segments?.map(({ id, weight }) => ({ id, w: weight })) ?? null }),
    ...(input.language === undefined ? {} : { language: input.language !== null }),
  };
  return {
    pinned,
    // When a pin ends, the next sync computes the weights again.
    ...(input.segments == null ? {} : { weights: withPins(creator.weights, { pinned }) }),
    ...(input.language == null ? {} : { language: clean(input.language) || null }),
    ...(input.manual_only === undefined ? {} : { manual_only: input.manual_only }),
    ...(input.notes === undefined ? {} : { notes: input.notes === null ? null : clean(input.notes) }),
  };
};
