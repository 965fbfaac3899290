import type { Launch, OpsCreator, OpsPriceAsk } from '@cds/contracts';
import { addDays } from '@cds/service/calendar';
import { FRESH_DAYS } from '../domain/constants.js';
import { isBookable, isBuyable, isListed } from '../domain/creator/bookable.js';
import type { Creator, Identity } from '../domain/creator/creator.js';
import type { Launch as TrackedLaunch } from '../domain/launches/collabs.js';
import { statusReason } from '../domain/vetting/vetting.js';

/** The first day on which a price is no longer fresh; null for one set by the team. */
export const expiresOn = (price: { method: string; as_of: string }): string | null =>
  price.method === 'set_price' ? null : addDays(price.as_of, FRESH_DAYS + 1);

export const presentOpsCreator = (creator: Creator, identity: Identity | null, day: string): OpsCreator => ({
  id: creator._id,
  network_id: creator.network_id,
  handle: identity?.handle ?? null,
  url: identity?.url ?? null,
  name: creator.name,
  bio: creator.bio,
  status: creator.status,
  status_reason: statusReason(creator.status, creator.vetting),
  decided_at: creator.decided_at?.toISOString() ?? null,
  active: creator.active,
  flag_inactive: creator.flag_inactive,
  flag_pinned: creator.pinned?.flag != null,
  excluded: creator.excluded,
  exclusion_reason: creator.exclusion_reason ?? null,
  manual_only: creator.manual_only,
  erased_at: creator.erased_at?.toISOString() ?? null,
  merged_into: creator.merged_into ?? null,
  listed: isListed(creator),
  bookable: isBookable(creator, day),
  followers: creator.followers,
  reach_band: creator.reach_band,
  country: creator.country,
  language: creator.language,
  segments: creator.weights.map(({ id, w }) => ({
    id,
    weight: w,
    pinned: creator.pinned?.weights?.some((pin) => pin.id === id) ?? false,
  })),
  notes: creator.notes ?? null,
  units: creator.units.map((unit) => ({
    unit_id: unit.unit_id,
    format: unit.format,
    label: unit.label,
    deliverable: unit.deliverable,
    price_cents: unit.price?.price_cents ?? null,
    price_as_of: unit.price?.as_of ?? null,
    price_method: unit.price?.method ?? null,
    expires_on: unit.price === null ? null : expiresOn(unit.price),
    buyable: isBuyable(creator, unit, day),
  })),
  views_source: creator.views_source,
  synced_at: creator.synced_at?.toISOString() ?? null,
  refresh_failed_at: creator.refresh_failed_at?.toISOString() ?? null,
  vetting: presentReview(creator),
});

const presentReview = ({ sync_review: review }: Creator): OpsCreator['vetting'] =>
  review == null
    ? null
    : { on: review.on, passed: review.passed, of: review.of, proposal: review.proposal, checks: review.checks };

type KeptLaunch = TrackedLaunch & { created_at: Date; updated_at: Date };

export const presentLaunch = (launch: KeptLaunch): Launch => ({
  id: launch._id,
  project: launch.project,
  title: launch.title,
  brand: launch.brand,
  date: launch.date,
  segments: launch.segments,
  created_at: launch.created_at.toISOString(),
  updated_at: launch.updated_at.toISOString(),
});

type KeptAsk = {
  _id: string;
  ws: string;
  creator_id: string;
  campaign_id: string | null;
  status: OpsPriceAsk['status'];
  requested_at: Date;
  answered_at: Date | null;
};

export const presentPriceAsk = (ask: KeptAsk, handle: string | null): OpsPriceAsk => ({
  id: ask._id,
  workspace: ask.ws,
  creator_id: ask.creator_id,
  handle,
  campaign_id: ask.campaign_id,
  status: ask.status,
  requested_at: ask.requested_at.toISOString(),
  answered_at: ask.answered_at?.toISOString() ?? null,
});
