import { notFound } from '@cds/contracts';
import { type Change, type Ctx, change } from '@cds/service';
import type { Campaign } from '../domain/plan.js';
import { campaignChanged } from '../present/events.js';
import type { CampaignSet, Campaigns } from '../store/campaigns.js';
import { actorOf } from './plan-change.js';

/** A campaign of the asking workspace; raises not_found, alike for absent and foreign ids. */
export const campaignNamed = async (campaigns: Campaigns, ctx: Ctx, id: string): Promise<Campaign> => {
  const campaign = await campaigns.byId(ctx.principal.workspace, id);
  if (campaign === null) throw notFound('campaign');
  return campaign;
};

/**
 * The change of a campaign beside its plan: what is set, its public state and the audit are stored
 * together, serial with edits and signing through `rev` (I57).
 */
export const campaignChange = <Answer>(
  answer: Answer,
  of: {
    ctx: Ctx;
    campaigns: Campaigns;
    before: Campaign;
    set: CampaignSet;
    action: string;
    details: Record<string, unknown>;
    /** Why an operator did it. */
    reason?: string;
    /** `either` where the archive does not stand in the way. */
    archive?: 'out' | 'either';
    /** Begins what the change made due; waits for nothing. */
    committed?: () => void;
  },
): Change<Answer> =>
  change(answer, {
    save: (tx) => of.campaigns[of.archive === 'either' ? 'move' : 'touch'](tx, of.before, of.set),
    events: [campaignChanged({ ...of.before, ...of.set, rev: of.before.rev + 1 })],
    audit: [
      {
        ws: of.before.ws,
        actor: actorOf(of.ctx),
        action: of.action,
        object: of.before._id,
        payload: of.details,
        ...(of.reason === undefined ? {} : { reason: of.reason }),
      },
    ],
    ...(of.committed === undefined ? {} : { committed: of.committed }),
  });

/** An answer where nothing is left to change; it is kept under its command like any other. */
export const unchanged = <Answer>(answer: Answer): Change<Answer> => change(answer, { save: async () => undefined });
