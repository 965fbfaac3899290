import { actorOf, type Change, type Ctx, change, type Tx } from '@cds/service';
import type { Campaign } from '../domain/plan.js';
import { campaignChanged } from '../present/events.js';
import type { CampaignSet, Campaigns } from '../store/campaigns.js';

/** Leaves the plan alone; serial with edits and signing through `rev` (I57). */
export const campaignChange = <Answer>(
  answer: Answer,
  of: {
    ctx: Ctx;
    campaigns: Campaigns;
    before: Campaign;
    set: CampaignSet;
    action: string;
    details: Record<string, unknown>;
    reason?: string;
    archive?: 'out' | 'either';
    events?: Change<Answer>['parts']['events'];
    /** Records that the key's mandate allowed the change, if one was tested. */
    passed?: (tx: Tx) => Promise<void>;
    committed?: () => void;
  },
): Change<Answer> =>
  change(answer, {
    save: async (tx) => {
      await of.campaigns[of.archive === 'either' ? 'touchArchivedToo' : 'touch'](tx, of.before, of.set);
      await of.passed?.(tx);
    },
    events: [campaignChanged({ ...of.before, ...of.set, rev: of.before.rev + 1 }), ...(of.events ?? [])],
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

export const unchanged = <Answer>(answer: Answer): Change<Answer> => change(answer, { save: async () => undefined });
