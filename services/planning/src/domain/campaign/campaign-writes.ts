import {
  type CreatorGuidelines,
  type CreatorGuidelinesInput,
  codePointCount,
  type Goal,
  type PrincipalMandate,
  type Refusal,
} from '@cds/contracts';
import { asksOf, mandateVerdict } from '@cds/rules';
import { monthInWords } from '@cds/service/calendar';
import { archivedRefusal, signedRefusal } from '../approval/approval.js';
import { DISPLAY_NAME_MAX } from '../constants.js';
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

/**
 * A campaign's stored name: "Acme, launch, March 2027", or "creators" for a missing goal (docs/domain/plans.md#names,
 * docs/domain/plans.md#plan-current).
 */
export const storedName = (company: string, goal: Goal | null, windowStart: string): string =>
  `${company}, ${goal ?? 'creators'}, ${monthInWords(windowStart)}`;

/** The rename, else product, company or a placeholder; cut at a word (docs/domain/plans.md#names). */
export const displayName = (campaign: Pick<Campaign, 'renamed_to' | 'product' | 'company'>): string =>
  shortened(campaign.renamed_to ?? campaign.product ?? campaign.company ?? 'Untitled campaign');

const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  if (codePointCount(line) <= DISPLAY_NAME_MAX) return line;
  const head = [...line].slice(0, DISPLAY_NAME_MAX).join('');
  const word = head.lastIndexOf(' ');
  const cut = word <= 0 ? [...head].slice(0, DISPLAY_NAME_MAX - 1).join('') : head.slice(0, word);
  return `${cut.replace(/[\s,;:.]+$/, '')}…`;
};
