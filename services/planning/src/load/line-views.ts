import type { LineAhead } from '../domain/quote/line-next.js';
import { countedPost, type LineProgress, NO_PROGRESS } from '../domain/quote/stage.js';
import type { LineViews } from '../present/campaign.js';
import type { LineFacts, LineFactsMap, PlanProgress, ProgressFacts } from '../store/line-facts.js';

export const NO_LINE_FACTS: LineFactsMap = new Map();

export const lineViews = (facts: LineFactsMap): LineViews =>
  new Map(
    [...facts].map(([lineId, facts]) => {
      const { proposal, scheduled_date, filled } = facts;
      return [
        lineId,
        {
          scheduled_date,
          proposal,
          ahead: aheadOf(facts),
          ...(filled === undefined ? {} : { filled }),
          progress: progressIn(facts),
        },
      ];
    }),
  );

export const progressOfPlan = (lineCount: number, found: PlanProgress | undefined): LineProgress[] => [
  ...(found?.facts ?? []).map(progressIn),
  ...((found?.lines ?? 0) < lineCount ? [NO_PROGRESS] : []),
];

const progressIn = (facts: ProgressFacts): LineProgress => {
  const post = countedPost(facts, facts.post);
  return {
    booked: facts.booked,
    cancelled: facts.cancelled,
    proposal_state: facts.proposal?.state ?? null,
    post: post === null ? null : { status: post.status, blocked_reason: post.blocked_reason },
  };
};

const aheadOf = (facts: LineFacts): LineAhead => {
  const post = countedPost(facts, facts.post);
  return {
    expires_at: facts.proposal?.expires_at ?? null,
    search: facts.search ?? null,
    ends_at: facts.ends_at ?? null,
    cancel_cause: facts.cancel_cause ?? null,
    credits: facts.credits ?? [],
    scheduled_date: facts.scheduled_date,
    published_at: post?.published_at ?? null,
    post_next: post?.next ?? null,
  };
};
