import { conflict } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import { type CreatorSwitch, switchMove } from '../../domain/vetting/operator-moves.js';
import type { OperatorCreatorService } from '../../operators/operator-creator-service.js';

/** Raises not_found, conflict (bad_state). Source: docs/domain/network.md#status-changes. */
const turning =
  (which: CreatorSwitch) =>
  async (
    ctx: Ctx,
    input: { id: string; reason: string },
    { operatorCreators }: { operatorCreators: OperatorCreatorService },
  ) => {
    const held = await operatorCreators.toChange(input.id);

    const move = switchMove(held.creator, which, held.clean(input.reason));
    if ('illegal' in move) throw conflict('bad_state', move.illegal);

    return operatorCreators.change(ctx, held, { action: `creator.${which}`, reason: input.reason, set: move.set });
  };

export const opsCreatorPause = turning('pause');
export const opsCreatorResume = turning('resume');
export const opsCreatorExclude = turning('exclude');
export const opsCreatorInclude = turning('include');
export const opsCreatorFlag = turning('flag');
export const opsCreatorUnflag = turning('unflag');
