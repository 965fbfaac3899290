import type { PlanWrite } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import type { WrittenBy } from '../domain/edits/plan-version.js';

/** Who did something, for the audit: an operator, a person, a key, or the system itself. */
export const actorOf = ({ principal }: Ctx): string => {
  if (principal.operator !== undefined) return `operator:${principal.operator.id}`;
  if (principal.person !== undefined) return `person:${principal.person.id}`;
  return principal.key === '' ? 'system' : `key:${principal.key}`;
};

/** Who makes a plan's version, by which write and when, for its history. */
export const writtenBy = (ctx: Ctx, action: PlanWrite): WrittenBy => ({ actor: actorOf(ctx), action, at: ctx.now });
