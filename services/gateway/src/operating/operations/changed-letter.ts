import type { DeadLetter } from '@cds/contracts';
import { actorOf, type Change, type Ctx, change } from '@cds/service';

export const changedLetter = (
  ctx: Ctx,
  action: 'dead_letter.retry' | 'dead_letter.close',
  letter: DeadLetter,
  reason: string,
): Change<DeadLetter> =>
  change(letter, {
    save: async () => undefined,
    audit: [
      {
        ws: '',
        actor: actorOf(ctx),
        action,
        object: letter.id,
        reason,
        payload: { service: letter.service, subject: letter.subject, state: letter.state },
      },
    ],
  });
