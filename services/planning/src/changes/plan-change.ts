import { type Change, type Ctx, change, LostRace } from '@cds/service';
import { EVIDENCE_MS } from '../domain/constants.js';
import type { PlanWithCampaign } from '../domain/plan.js';
import { campaignChanged, planChanged } from '../present/events.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';

/** Who did something, for the audit: an operator, a person, a key, or the system itself. */
export const actorOf = ({ principal }: Ctx): string => {
  if (principal.operator !== undefined) return `operator:${principal.operator.id}`;
  if (principal.person !== undefined) return `person:${principal.person.id}`;
  return principal.key === '' ? 'system' : `key:${principal.key}`;
};

/** Raises LostRace when prices are too old to commit by: they are read anew (reliability 3.6, 3.20). */
export const mustBeFresh = (pricedAt: number): void => {
  if (performance.now() - pricedAt > EVIDENCE_MS) throw new LostRace('prices');
};

/**
 * The change of an edit: the plan's next version by compare-and-set, its campaign touched, facts and audit beside it
 * (reliability 3.6). Either all of it is stored or nothing; a lost race decides anew.
 */
export const editChange = <Answer>(
  answer: Answer,
  of: {
    ctx: Ctx;
    plans: Plans;
    campaigns: Campaigns;
    before: PlanWithCampaign;
    after: PlanWithCampaign;
    action: string;
    details: Record<string, unknown>;
    /** When the prices that it was decided on were asked for, by `performance.now`. */
    pricedAt?: number;
  },
): Change<Answer> => {
  const { before, after, pricedAt } = of;
  const { window_start, window_end } = after.campaign;
  const moved = window_start !== before.campaign.window_start || window_end !== before.campaign.window_end;
  return change(answer, {
    save: async (tx) => {
      await of.plans.replaceAwaiting(tx, before.plan, after.plan);
      await of.campaigns.touch(tx, before.campaign, moved ? { window_start, window_end } : {});
      if (pricedAt !== undefined) mustBeFresh(pricedAt);
    },
    events: [
      planChanged(after.plan),
      ...(moved ? [campaignChanged({ ...after.campaign, rev: before.campaign.rev + 1 })] : []),
    ],
    audit: [
      {
        ws: before.plan.ws,
        actor: actorOf(of.ctx),
        action: of.action,
        object: before.plan._id,
        payload: { ...of.details, version: after.plan.version, terms_fingerprint: after.plan.terms_fingerprint },
      },
    ],
  });
};
