import type { LineDispute, OpsDispute } from '@cds/contracts';
import type { Claim } from '../domain/claim.js';
import type { Post } from '../domain/post.js';

export const presentDispute = (lineId: string, claim: Claim): LineDispute => ({
  id: claim.id,
  line_id: lineId,
  claim: claim.claim,
  text: claim.text,
  evidence: claim.evidence,
  state: claim.decided === null ? 'open' : 'decided',
  opened_at: claim.opened_at.toISOString(),
  due_at: claim.due_at.toISOString(),
  remedy: claim.decided?.remedy ?? null,
  amount_cents: claim.decided?.amount_cents ?? null,
  reason: claim.decided?.reason ?? null,
  decided_at: claim.decided?.at.toISOString() ?? null,
});

export const presentOpsDispute = (post: Post, claim: Claim): OpsDispute => ({
  ...presentDispute(post._id, claim),
  workspace: post.ws,
  order_id: post.order_id,
  campaign_id: post.campaign_id,
});
