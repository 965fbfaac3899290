// What one post of a creator is worth to a campaign, in qualified views (docs/domain/plans.md#plan-value).
import type { Candidate, Goal } from '@cds/contracts';
import { ACCEPTANCE, MATCH, TILT, TRUST } from '../constants.js';

export type OfferRecord = { accepted: number; answered: number };

export type CreatorAnswers = {
  offersOf: (creatorId: string) => OfferRecord;
  declinedLately: (creatorId: string) => boolean;
};

export const NO_ANSWERS: CreatorAnswers = {
  offersOf: () => ({ accepted: 0, answered: 0 }),
  declinedLately: () => false,
};

export const acceptance = ({ accepted, answered }: OfferRecord): number =>
  (ACCEPTANCE.share * ACCEPTANCE.offers + accepted) / (ACCEPTANCE.offers + answered);

const goalTilt = (candidate: Candidate, format: string, goal: Goal): number => {
  if (goal === 'program') return (candidate.posts_per_week ?? 0) >= TILT.frequentPosts ? TILT.frequent : 1;
  return goal !== 'feature' && format === 'quote' ? TILT.quote : 1;
};

/** Unknown countries and a worldwide campaign change nothing. */
const regionTilt = ({ in_regions }: Candidate): number => {
  if (in_regions === undefined || in_regions === null) return 1;
  return in_regions ? TILT.inside : TILT.outside;
};

export const qualifiedViews = (
  candidate: Candidate,
  unit: Candidate['units'][number],
  of: { goal: Goal; offers: OfferRecord },
): number =>
  unit.expected_views *
  (MATCH.floor + (MATCH.slope * (candidate.match_score ?? MATCH.unresolved)) / 100) *
  TRUST[candidate.views_source] *
  acceptance(of.offers) *
  goalTilt(candidate, unit.format, of.goal) *
  regionTilt(candidate);
