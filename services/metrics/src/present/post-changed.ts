import type { EventPayload } from '@cds/contracts';
import { withEntries } from '../domain/integrity.js';
import { dueFactsOf, isListed, type Post, type PostMove } from '../domain/post.js';
import type { Figures } from '../domain/reading.js';
import { presentDispute } from './dispute.js';

/** A post as other services see it: never its link (docs/reliability.md#handles). */
export const postChanged = (post: Post): EventPayload<'post.changed'> => ({
  aggregate: post._id,
  version: post.version,
  workspace: post.ws,
  line_id: post._id,
  order_id: post.order_id,
  plan_id: post.plan_id,
  campaign_id: post.campaign_id,
  status: post.status,
  blocked_reason: post.blocked_reason,
  published_at: post.published_at?.toISOString() ?? null,
  still_up_at: post.figures.still_up?.checked_at.toISOString() ?? null,
  attempt: post.attempt,
  remedy: post.remedy == null ? null : { ...post.remedy, at: post.remedy.at.toISOString() },
  next: nextOf(post),
  facts: {
    listed: isListed(post),
    disclosed: post.disclosure !== null,
    still_up: proofOf(post),
    integrity: seenLastOf(post),
    claims: (post.claims ?? []).map((claim) => {
      const { line_id: _line, text: _text, evidence: _evidence, ...shown } = presentDispute(post._id, claim);
      return shown;
    }),
  },
});

const proofOf = ({ figures: { still_up: proof } }: Post) =>
  proof === null ? null : { checked_at: proof.checked_at.toISOString(), views: proof.views };

const seenLastOf = ({ integrity: head }: Post): NonNullable<EventPayload<'post.changed'>['facts']>['integrity'] =>
  head?.kind === undefined || head.at === undefined
    ? null
    : { seq: head.seq, kind: head.kind, at: head.at.toISOString(), hash: head.hash };

const nextOf = (post: Post): EventPayload<'post.changed'>['next'] => {
  const [next] = dueFactsOf(post);
  return next === undefined ? null : { kind: next.kind, at: next.at.toISOString() };
};

export const readingTaken = (post: Post): EventPayload<'reading.taken'> | null => {
  const { snapshots, latest, previous } = post.figures;
  if (latest === null || post.readings_version === undefined) return null;
  return {
    aggregate: post._id,
    version: post.readings_version,
    workspace: post.ws,
    line_id: post._id,
    order_id: post.order_id,
    plan_id: post.plan_id,
    campaign_id: post.campaign_id,
    attempt: post.attempt,
    published_at: post.published_at?.toISOString() ?? null,
    snapshots,
    latest: readingFigures(latest),
    previous: previous === null ? null : readingFigures(previous),
    still_up: proofOf(post),
  };
};

const readingFigures = ({ captured_at, views, clicks, likes, comments, shares }: NonNullable<Figures['latest']>) => ({
  captured_at: captured_at.toISOString(),
  views,
  clicks,
  likes,
  comments,
  shares,
});

type PostEvent =
  | { name: 'post.changed'; payload: EventPayload<'post.changed'> }
  | { name: 'reading.taken'; payload: EventPayload<'reading.taken'> };

export const movedEvents = (before: Post, { post, emits }: PostMove, at: Date): PostEvent[] => {
  const reading = post.readings_version === before.readings_version ? null : readingTaken(post);
  return [
    ...(emits ? [{ name: 'post.changed' as const, payload: postChanged(withEntries(before, post, at).post) }] : []),
    ...(reading === null ? [] : [{ name: 'reading.taken' as const, payload: reading }]),
  ];
};
