import { randomUUID } from 'node:crypto';
import type { Refusal } from '@cds/contracts';
import { archivedRefusal, signedRefusal } from '../approval/approval.js';
import { withFingerprint } from '../approval/fingerprint.js';
import { emptyPlan, lineOf } from '../lines.js';
import type { Campaign, Line, Plan, UnitMap } from '../plan.js';
import { conflictRefusal } from '../refusals.js';
import { sharesADay } from './edits.js';
import { currentPrice, nextVersion } from './repricing.js';

export type TeamLine = {
  line_id?: string | undefined;
  unit_id?: string | undefined;
  scheduled_date: string;
  slot?: string | undefined;
  reason?: string | undefined;
};

export type TeamPlanFacts = {
  campaign: Campaign;
  plan: Plan | null;
  units: UnitMap;
  now: Date;
  today: string;
};

export const teamPlanGate = (
  { campaign, plan }: Pick<TeamPlanFacts, 'campaign' | 'plan'>,
  baseVersion: number,
): Refusal | null => {
  const version = plan?.version ?? 0;
  return (
    (plan === null ? null : signedRefusal({ plan })) ??
    archivedRefusal({ campaign }) ??
    (campaign.no_plan === 'category_banned' || campaign.no_plan === 'category_review'
      ? conflictRefusal('bad_state', 'The category of this campaign is under review or banned. Decide on it first.')
      : null) ??
    (plan === null && campaign.sent_to_team_at === null && campaign.goal === null
      ? conflictRefusal('bad_state', 'This campaign is a draft. Wait until the brand sends its brief.')
      : null) ??
    (version === baseVersion
      ? null
      : conflictRefusal('bad_state', `The plan is at version ${version}, not ${baseVersion}. Read it again.`, {
          version,
        }))
  );
};

/** Budget and mandate are checked at signing (docs/domain/plans.md#plans-written-by-the-team). */
export const teamPlan = (
  facts: TeamPlanFacts,
  lines: readonly TeamLine[],
): { refusal: Refusal } | { refusal: null; plan: Plan } => {
  const { campaign, units } = facts;
  const problems = problemsOf(facts, lines);
  if (problems.length > 0)
    return {
      refusal: {
        code: 'unprocessable',
        reason: 'unprocessable',
        message: 'The plan cannot be written like this. See details.problems.',
        details: { problems },
      },
    };

  const base = facts.plan ?? emptyPlan(campaign, { id: randomUUID(), writtenBy: 'team', now: facts.now });
  const written = lines.map((line) => writtenLine(facts, base, line));
  if (sharesADay(written))
    return { refusal: conflictRefusal('same_day', 'Two posts of one creator are on one day. Choose another day.') };

  const { reasons, built_under, ...plan } = base;
  const own: Plan = { ...plan, gap: null, written_by: 'team' };
  const next = nextVersion(own, written, units);
  return { refusal: null, plan: facts.plan === null ? withFingerprint({ ...next, version: 1 }) : next };
};

const problemsOf = ({ campaign, plan, units, today }: TeamPlanFacts, lines: readonly TeamLine[]) => {
  const kept = new Map((plan?.lines ?? []).map((line) => [line.id, line]));
  const { window_start, window_end } = campaign;
  return lines.flatMap((line, index) => {
    const at = (field: string, message: string) => [{ field: `lines[${index}].${field}`, message }];
    const former = line.line_id === undefined ? undefined : kept.get(line.line_id);
    const unit = line.unit_id === undefined ? undefined : units.get(line.unit_id);
    const date = line.scheduled_date;
    const stays = former?.scheduled_date === date;
    return [
      ...((line.line_id === undefined) === (line.unit_id === undefined)
        ? at('line_id', 'send either line_id or unit_id')
        : []),
      ...(line.line_id !== undefined && former === undefined ? at('line_id', 'must be a line of this plan') : []),
      ...(lines.findIndex((other) => other.line_id === line.line_id) < index && line.line_id !== undefined
        ? at('line_id', 'is listed twice')
        : []),
      ...(line.unit_id !== undefined && !(unit?.listed === true && unit.buyable)
        ? at('unit_id', 'must be a format that is on sale now')
        : []),
      ...(!stays && (date < today || date < window_start || date > window_end)
        ? at('scheduled_date', `must be today or later and within ${window_start} to ${window_end}; today is ${today}`)
        : []),
    ];
  });
};

const writtenLine = ({ campaign, plan, units }: TeamPlanFacts, base: Plan, line: TeamLine): Line => {
  const former = plan?.lines.find(({ id }) => id === line.line_id);
  if (former !== undefined)
    return {
      ...former,
      scheduled_date: line.scheduled_date,
      price_cents: currentPrice(former, units),
      slot: line.slot ?? former.slot,
      reason: line.reason ?? former.reason,
      written_by: line.slot === undefined && line.reason === undefined ? former.written_by : 'team',
    };
  const unit = units.get(line.unit_id ?? '');
  if (unit === undefined) throw new Error('a unit without facts passed its check');
  const fresh = lineOf(unit, {
    id: randomUUID(),
    date: line.scheduled_date,
    writtenBy: 'team',
    plan: base,
    campaign,
  });
  return { ...fresh, slot: line.slot ?? fresh.slot, reason: line.reason ?? fresh.reason };
};
