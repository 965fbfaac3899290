import type { CreatorGuidelines, CreatorGuidelinesInput, PrincipalMandate, Refusal } from '@cds/contracts';
import { asksOf, mandateVerdict } from '@cds/rules';
import { archivedRefusal, signedRefusal } from '../approval/approval.js';
import type { Campaign, Plan } from '../plan.js';
import { conflictRefusal } from '../refusals.js';

type KeyFacts = { campaign: Campaign; mandate: PrincipalMandate | null; now: Date };

/** Checks 3 and 4 of rename and guidelines: archived, then the mandate (docs/domain/plans.md#edits). */
export const campaignGate = ({ campaign, mandate, now }: KeyFacts): Refusal | null =>
  archivedRefusal({ campaign }) ?? mandateVerdict(mandate, asksOf(now));

/**
 * The mandate, has_plan, not_draft; archived drafts may be deleted (docs/domain/plans.md#edits,
 * docs/domain/plans.md#states).
 */
export const deletionRefusal = ({ campaign, mandate, now }: KeyFacts): Refusal | null =>
  mandateVerdict(mandate, asksOf(now)) ??
  (campaign.plan_id === null
    ? null
    : conflictRefusal(
        'has_plan',
        'This campaign has a plan, so it cannot be deleted. A person of the brand can archive it in the app.',
      )) ??
  (campaign.sent_to_team_at === null
    ? null
    : conflictRefusal(
        'not_draft',
        'This campaign was sent to the team, so it cannot be deleted. A person of the brand can archive it in the app.',
      ));

/** A field left out is cleared (docs/domain/plans.md#creator-guidelines). */
export const guidelinesFrom = (input: CreatorGuidelinesInput): CreatorGuidelines => ({
  pitch: input.pitch ?? '',
  key_messages: input.key_messages ?? [],
  references: input.references ?? [],
  voice: input.voice ?? '',
  dos: input.dos ?? [],
  donts: input.donts ?? [],
});

/** No plan (bad_state), plan_signed, archived. */
export const changeRequestRefusal = ({ campaign, plan }: { campaign: Campaign; plan: Plan | null }): Refusal | null =>
  plan === null
    ? conflictRefusal('bad_state', 'This campaign has no plan to change. Change its brief instead.')
    : (signedRefusal({ plan }) ?? archivedRefusal({ campaign }));
