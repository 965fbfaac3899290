import { conflict } from '@cds/contracts';
import { actorOf, type Change, type Ctx, change, creatorLinkOf } from '@cds/service';
import { ownPauseMove, pauseOf } from '../domain/vetting/own-pause.js';
import type { OperatedCreators } from '../store/operated-creators.js';

type Answer = { proposals: 'open' | 'paused' };

/** A sandbox's link pauses nobody, since its creators are the network's. Raises conflict (closed). */
const turning =
  (wanted: Answer['proposals']) =>
  async (ctx: Ctx, _input: unknown, { operated }: { operated: OperatedCreators }): Promise<Change<Answer>> => {
    const { sandbox, workspace } = ctx.principal;
    const caller = creatorLinkOf(ctx);
    if (sandbox) throw conflict('closed', 'This is a test proposal, so it stops no proposals.');
    const creator = await operated.byId(caller.id);
    if (creator === null || pauseOf(creator) === 'closed')
      throw conflict('closed', 'Our team has closed new proposals to you. Write to the team.');

    const set = ownPauseMove(creator, wanted);
    if (set === null) return change({ proposals: wanted }, { save: async () => {} });
    return change(
      { proposals: wanted },
      {
        save: (tx) => operated.change(tx, creator, set),
        audit: [
          {
            ws: '',
            actor: actorOf(ctx),
            action: wanted === 'paused' ? 'creator.pause' : 'creator.resume',
            object: creator._id,
            payload: { by: 'creator', workspace },
          },
        ],
      },
    );
  };

export const creatorPause = turning('paused');
export const creatorResume = turning('open');
