import type { LineViews } from '../present/campaign.js';
import type { LineFactsMap } from '../store/line-facts.js';

/** For a plan about which no event can have come yet. */
export const NO_LINE_FACTS: LineFactsMap = new Map();

/** What events said about paid lines, as present/ needs it. */
export const lineViews = (facts: LineFactsMap): LineViews =>
  new Map(
    [...facts].map(([lineId, { proposal, post, booked, cancelled, scheduled_date }]) => [
      lineId,
      {
        scheduled_date,
        proposal,
        progress: {
          booked,
          cancelled,
          proposal_state: proposal?.state ?? null,
          post: post === null ? null : { status: post.status, blocked_reason: post.blocked_reason },
        },
      },
    ]),
  );
