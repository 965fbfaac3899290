import type { LineAhead } from '../domain/quote/line-next.js';
import { countedPost } from '../domain/quote/stage.js';
import type { LineViews } from '../present/campaign.js';
import type { LineFacts, LineFactsMap } from '../store/line-facts.js';

/** For a plan about which no event can have come yet. */
export const NO_LINE_FACTS: LineFactsMap = new Map();

/** What events said about paid lines, as present/ needs it. */
export const lineViews = (facts: LineFactsMap): LineViews =>
  new Map(
    [...facts].map(([lineId, facts]) => {
      const { proposal, booked, cancelled, scheduled_date, filled } = facts;
      const post = countedPost(facts, facts.post);
      return [
        lineId,
        {
          scheduled_date,
          proposal,
          ahead: aheadOf(facts, post),
          ...(filled === undefined ? {} : { filled }),
          progress: {
            booked,
            cancelled,
            proposal_state: proposal?.state ?? null,
            post: post === null ? null : { status: post.status, blocked_reason: post.blocked_reason },
          },
        },
      ];
    }),
  );

const aheadOf = (
  { proposal, scheduled_date, search, ends_at, cancel_cause, credits }: LineFacts,
  post: LineFacts['post'],
): LineAhead => ({
  expires_at: proposal?.expires_at ?? null,
  search: search ?? null,
  ends_at: ends_at ?? null,
  cancel_cause: cancel_cause ?? null,
  credits: credits ?? [],
  scheduled_date,
  published_at: post?.published_at ?? null,
  post_next: post?.next ?? null,
});
