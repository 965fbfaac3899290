import { type EvidenceItem, PLAN_CHANNELS, type ResultItem } from '@cds/contracts';
import { expectedViews, isOver, type Line, type Signed, scheduledDate, slotNow, spendCents } from '../domain/line.js';
import type { Post } from '../domain/post.js';
import { type Figures, nextReadingAt } from '../domain/reading.js';
import { dateText, moreLines, readingLine, scheduleText, stillUpLine, versusText } from '../domain/texts.js';

export type Published = {
  post: Post;
  publishedAt: Date;
  line: Line;
  signed: Signed;
  campaign: string;
  creator: { name: string | null; handle: string | null };
};

type Options = { briefId: boolean };

/** Source: docs/specification.md#evidenceitem, docs/domain/orders.md#fields-of-proof-and-results. */
export const presentEvidence = (published: Published, { briefId }: Options): EvidenceItem => {
  const { post, publishedAt, line, signed, campaign, creator } = published;
  const proof = post.figures.still_up;
  return {
    id: line._id,
    line_id: line._id,
    creator: { id: post.creator_id, ...creator },
    campaign_id: line.campaign_id,
    ...(briefId ? { brief_id: line.campaign_id } : {}),
    campaign,
    slot: slotNow(line, signed),
    status: proof === null ? 'live' : 'completed',
    status_label: proof === null ? 'Live' : 'Completed',
    date: dateText(publishedAt),
    proof_url: post.proof_url,
    published_at: publishedAt.toISOString(),
    disclosure: post.disclosure,
    still_up:
      proof === null
        ? null
        : { checked_at: proof.checked_at.toISOString(), views: proof.views, line: stillUpLine(publishedAt, proof) },
    ...(isOver(line) ? { cancelled: true as const } : {}),
  };
};

/** Source: docs/specification.md#resultitem, docs/domain/orders.md#fields-of-proof-and-results. */
export const presentResult = (published: Published, options: Options, now: Date): ResultItem => {
  const { post, publishedAt, line, signed } = published;
  const { latest, previous, snapshots } = post.figures;
  const next = isOver(line) || post.gone_at !== null ? null : nextReadingAt(publishedAt, latest?.captured_at ?? null);
  return {
    ...presentEvidence(published, options),
    scheduled_date: scheduledDate(line) ?? post.scheduled_date,
    latest: presentLatest(post.figures),
    snapshots,
    previous:
      previous === null
        ? null
        : {
            views: previous.views,
            likes: previous.likes,
            comments: previous.comments,
            shares: previous.shares,
            captured_at: previous.captured_at.toISOString(),
          },
    versus: versusText(publishedAt, latest, expectedViews(line)),
    schedule: scheduleText(next, now),
    channel_label: channelLabel(signed.channel),
    spend_cents: spendCents(line, signed),
    currency: signed.currency,
    ...(post.figures.unusual === true ? { notes: [UNUSUAL] } : {}),
  };
};

const UNUSUAL =
  'The newest reading is unusual for this creator: far more views than usual with little engagement. This is a statistical sign, not a finding.';

const presentLatest = ({ latest, newest }: Figures): ResultItem['latest'] =>
  latest === null
    ? null
    : {
        line: readingLine(latest),
        as_of: latest.captured_at.toISOString(),
        views: latest.views,
        clicks: latest.clicks,
        likes: latest.likes,
        comments: latest.comments,
        shares: latest.shares,
        more: moreLines(newest).map(({ line, as_of }) => ({ line, as_of: as_of.toISOString() })),
      };

const channelLabel = (channel: string): string =>
  channel in PLAN_CHANNELS ? PLAN_CHANNELS[channel as keyof typeof PLAN_CHANNELS] : channel;
