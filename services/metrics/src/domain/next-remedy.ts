// When a sandbox post can get its remedy at the earliest (docs/reliability.md#due-facts).
import { DISCLOSE_WITHIN_MS, DISCLOSED_LATER_MS, LOOK_AFTER_MS, REMEDY_AFTER_MS } from './constants.js';
import type { Post } from './post.js';

const UNDISCLOSED_AFTER_MS = LOOK_AFTER_MS + DISCLOSE_WITHIN_MS;

/** Null when nothing that is planned leads to a remedy. */
export const nextRemedy = (post: Post): Date | null => {
  if (post.stopped || post.status === 'completed') return null;
  const blocks = [
    isMissing(post) ? post.missing_at : null,
    post.gone_due_at,
    post.undisclosed_at,
    ...(post.look_at != null && post.disclosure === null && post.disclosure_at === null
      ? [after(post.look_at, DISCLOSE_WITHIN_MS)]
      : []),
    ...plannedBlocks(post),
  ].flatMap((at) => (at == null ? [] : [after(at, REMEDY_AFTER_MS)]));
  const remedies = [...blocks, ...(post.remedy_at == null ? [] : [post.remedy_at])];
  return remedies.reduce<Date | null>((first, at) => (first === null || at < first ? at : first), null);
};

/** A creator who will post in time is not missing. */
const isMissing = ({ plan, missing_at }: Post): boolean =>
  plan?.live_at == null || (missing_at !== null && plan.live_at >= missing_at);

const plannedBlocks = ({ plan }: Post): Date[] => {
  if (plan?.live_at == null) return [];
  const late = DISCLOSED_LATER_MS >= UNDISCLOSED_AFTER_MS;
  return [
    ...(plan.gone_after_ms === null ? [] : [after(plan.live_at, plan.gone_after_ms)]),
    ...(plan.disclosing === 'never' || (plan.disclosing === 'late' && late)
      ? [after(plan.live_at, UNDISCLOSED_AFTER_MS)]
      : []),
  ];
};

const after = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);
