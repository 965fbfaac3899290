import type { OpsProposal } from '@cds/contracts';
import type { Offer } from '../domain/offer-state.js';
import { toCreator } from '../domain/payout.js';

/** What the message to a creator says; its link follows. Company and pay are behind the link. */
const textOf = ({ line }: Offer, launchPost: string | null): string =>
  `We have a paid post for you: ${toCreator(line.deliverable)}${launchPost === null ? '' : ` (${launchPost})`}, on ${line.scheduled_date}. Read it and answer here:`;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const presentOpsProposal = (
  offer: Offer,
  { handle, launchPost }: { handle: string | null; launchPost: string | null },
): OpsProposal => {
  const { line, own, newest } = offer;
  return {
    id: own._id,
    workspace: line.ws,
    sandbox: line.sandbox,
    campaign_id: line.campaign_id,
    order_id: line.order_id,
    line_id: line._id,
    attempt: own.attempt,
    creator_id: own.creator_id,
    handle,
    state: own.state,
    withdrawn: own.withdrawn_at !== null,
    text: own._id === newest._id ? textOf(offer, launchPost) : '',
    scheduled_date: line.scheduled_date,
    booked: own._id === newest._id && line.booked,
    decline_reason: own.decline_reason,
    decline_note: own.decline_note ?? null,
    undelivered_at: own.state === 'sending' ? iso(own.undelivered_at) : null,
    sent_at: iso(own.sent_at),
    expires_at: own.state === 'sent' ? iso(own.expires_at) : null,
    updated_at: own.updated_at.toISOString(),
  };
};
