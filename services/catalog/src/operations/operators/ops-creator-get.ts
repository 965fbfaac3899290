import type { ReadHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { OperatorCreatorService } from '../../operators/operator-creator-service.js';
import { presentOpsCreator } from '../../present/ops-creator.js';

/** Raises not_found. Source: docs/domain/operators.md#operators. */
export const opsCreatorGet: ReadHandler<'ops_creator_get', { operatorCreators: OperatorCreatorService }> = async (
  ctx,
  input,
  { operatorCreators },
) => {
  const { creator, identity } = await operatorCreators.load(input.id);
  return presentOpsCreator(creator, identity, dayOf(ctx.networkNow));
};
