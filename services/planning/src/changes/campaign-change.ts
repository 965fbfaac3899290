import { actorOf, type Change, type Ctx, change, type Tx } from '@cds/service';
import type { Campaign } from '../domain/plan.js';
import { campaignChanged } from '../present/events.js';
import type { CampaignSet, Campaigns } from '../store/campaigns.js';

/**
 * The change of a campaign that leaves its plan alone: the new fields, the event and the audit are stored together,
 * serial with edits and signing through `rev` (I57).
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
    /** `either` where an archived campaign may change too. */
    archive?: 'out' | 'either';
    /** What happened beside the campaign's change. */
    events?: Change<Answer>['parts']['events'];
    /** Records that the key's mandate allowed the change, where one was tested. */
    passed?: (tx: Tx) => Promise<void>;
    /** Starts what the change made due, without waiting for it. */
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

/** The answer when there is nothing to change. It is recorded under its command like any other. */
export const unchanged = <Answer>(answer: Answer): Change<Answer> => change(answer, { save: async () => undefined });
