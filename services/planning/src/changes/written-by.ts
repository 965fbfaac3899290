import type { PlanWrite } from '@cds/contracts';
import { actorOf, type Ctx } from '@cds/service';
import type { WrittenBy } from '../domain/edits/plan-version.js';

export const writtenBy = (ctx: Ctx, action: PlanWrite): WrittenBy => ({ actor: actorOf(ctx), action, at: ctx.now });
