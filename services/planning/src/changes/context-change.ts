import { actorOf, type Change, type Ctx, change, type Tx } from '@cds/service';
import { type ContextVersion, inForce } from '../domain/campaign/context.js';
import { contextChanged } from '../present/events.js';

export const contextChange = <Answer>(
  answer: Answer,
  of: {
    ctx: Ctx;
    workspace: string;
    before: readonly ContextVersion[];
    after: readonly ContextVersion[];
    action: string;
    save: (tx: Tx) => Promise<void>;
  },
): Change<Answer> => {
  const payload = contextChanged(of.workspace, of.after);
  const { version } = payload;
  return change(answer, {
    save: of.save,
    events: inForce(of.before).version === version ? [] : [{ name: 'context.changed', payload }],
    audit: [
      { ws: of.workspace, actor: actorOf(of.ctx), action: of.action, object: of.workspace, payload: { version } },
    ],
  });
};
