// Which reasons still apply, and in what words (docs/adr/0013-the-rationale-speaks-of-the-plan-as-built.md).
import type { LeftOutLimit, LeftOutReason } from '@cds/contracts';
import { LEFT_OUT } from '../constants.js';
import type { Plan, PlanReasons, UnitMap } from '../plan.js';

/** Not added since, and still listed: a creator who left the network is not shown. */
export const shownLeftOut = (
  { left_out }: PlanReasons,
  plan: Pick<Plan, 'lines'>,
  units: UnitMap,
): PlanReasons['left_out'] =>
  left_out
    .filter(({ creator_id, unit_id }) => {
      const added = plan.lines.some((line) => line.creator_id === creator_id);
      return !added && units.get(unit_id)?.listed === true;
    })
    .slice(0, LEFT_OUT.shown);

export const noteOf = (
  plan: Pick<Plan, 'version'>,
  reasons: PlanReasons | undefined,
  kept: number,
  added: number,
): string => {
  if (reasons === undefined) return 'The builder did not choose this plan, so there are no reasons to show.';
  const built = `These reasons are for version ${reasons.version}, the plan as it was built`;
  const lines = reasons.lines.length;
  if (kept === lines && added === 0) return `${built}; its lines are unchanged.`;
  return `${built}. Version ${plan.version} keeps ${kept} of its ${lines} lines and has ${added} more without reasons.`;
};

const PLACE_TAKEN: Partial<Record<LeftOutLimit, string>> = {
  budget: 'The budget is used up',
  lines: 'The plan has as many lines as it may have',
  creators: 'The plan has as many creators as the brief allows',
  reach_band: 'The plan has as many lines of this reach band as it may have',
};

export const whyOf = ({ reason, limit }: { reason: LeftOutReason; limit: LeftOutLimit }): string => {
  if (limit === 'line_price') return 'One line of this creator would take more of the budget than a single line may.';
  if (limit === 'spend_rule')
    return 'There was room, but for its price this creator brings under a quarter of what the plan brings on average.';
  const taken = PLACE_TAKEN[limit] ?? '';
  return reason === 'value'
    ? `${taken}, and this creator would bring less than any line it could replace.`
    : `${taken}, and making room for this creator would cost more than one line.`;
};

const NO_GAP = 0.001;

export const gapOf = (gap: number): { share: number; words: string } => {
  const share = Math.min(1, Math.ceil(gap * 10_000) / 10_000);
  const words =
    share <= NO_GAP
      ? 'No plan under the same budget and limits brings more, to within 0.1%.'
      : `The plan brings at least ${(100 - share * 100).toFixed(1)}% of what any plan under the same budget and limits could. A better one is not known, but was not ruled out.`;
  return { share, words };
};
