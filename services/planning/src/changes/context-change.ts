import type { Audited, Ctx, Emitted } from '@cds/service';
import { type ContextVersion, inForce } from '../domain/campaign/context.js';
import { contextChanged } from '../present/events.js';
import { actorOf } from './plan-change.js';

/** What goes with a write to a company context: its event where another version came in force, and the audit. */
export const contextWritten = (
  ctx: Ctx,
  workspace: string,
  { before, after }: { before: readonly ContextVersion[]; after: readonly ContextVersion[] },
  action: string,
): { events: readonly Emitted[]; audit: readonly Audited[] } => {
  const payload = contextChanged(workspace, after);
  const { version } = payload;
  return {
    events: inForce(before).version === version ? [] : [{ name: 'context.changed', payload }],
    audit: [{ ws: workspace, actor: actorOf(ctx), action, object: workspace, payload: { version } }],
  };
};
