import type { LeftOutLimit, LeftOutReason } from '@cds/contracts';
import { LEFT_OUT } from '../constants.js';
import type { Plan, PlanReasons, UnitMap } from '../plan.js';

/** The reasons of a plan, told later (issue "Explain"): which of them still speak of it, and in what words. */

/** The kept creators that are shown: not on the plan since, and listed now; whoever left the network is told to nobody. */
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

/** Which version the reasons speak of, and what of it still stands. */
export const noteOf = (
  plan: Pick<Plan, 'version'>,
  reasons: PlanReasons | undefined,
  kept: number,
  added: number,
): string => {
  if (reasons === undefined) return 'The builder did not choose this plan, so there are no reasons to tell.';
  const built = `These are the reasons of version ${reasons.version}, the plan as it was built`;
  const lines = reasons.lines.length;
  if (kept === lines && added === 0) return `${built}; its lines still stand.`;
  return `${built}. Version ${plan.version} keeps ${kept} of its ${lines} lines and has ${added} more, of which nothing is told here.`;
};

const PLACE_TAKEN: Partial<Record<LeftOutLimit, string>> = {
  budget: 'The budget is used up',
  lines: 'The plan holds as many lines as it may',
  reach_band: 'The plan holds as many lines of this reach band as it may',
};

/** Why a creator was left out, in one sentence without a price. */
export const whyOf = ({ reason, limit }: { reason: LeftOutReason; limit: LeftOutLimit }): string => {
  if (limit === 'line_price') return 'One line of it would take more of the budget than one line may.';
  if (limit === 'spend_rule')
    return 'There was room for it, but for its price it would bring under a quarter of what the plan brings on average.';
  const taken = PLACE_TAKEN[limit] ?? '';
  return reason === 'value'
    ? `${taken}, and it would bring less than any line whose place it could take.`
    : `${taken}, and making room for it would cost more than one line.`;
};

/** A gap under this is as good as none. */
const NO_GAP = 0.001;

/** How far the plan may stay below the best one, as a share rounded up, and in words. */
export const gapOf = (gap: number): { share: number; words: string } => {
  const share = Math.min(1, Math.ceil(gap * 10_000) / 10_000);
  const words =
    share <= NO_GAP
      ? 'No plan under the same budget and limits brings more, to within 0.1%.'
      : `The plan brings at least ${(100 - share * 100).toFixed(1)}% of what any plan under the same budget and limits could. The rest is what could not be ruled out, and not known to be there.`;
  return { share, words };
};
