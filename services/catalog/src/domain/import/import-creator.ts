/** One imported creator as catalog keeps it: cleaned, measured and priced (domain 1-network 1 to 3, 6.3 and 12). */

import { dayOf } from '@cds/service/calendar';
import {
  BIO_MAX,
  DELIVERABLE_MAX,
  LABEL_MAX,
  NAME_MAX,
  PLACE_MAX,
  POSITIONING_MAX,
  WINDOW_DAYS,
} from '../constants.js';
import { atMost, cleanerFor, positioningOf } from '../creator/cleaning.js';
import type {
  AvatarAsked,
  Creator,
  Figures,
  HeldPost,
  Identity,
  ImportedCreator,
  PastSync,
  PriceRow,
  SaleStatus,
  SegmentWeight,
  SyncReview,
  Vetting,
  ViewsSource,
} from '../creator/creator.js';
import { bandOf, figuresOf, windowOf } from '../creator/figures.js';
import { collabsAfter, type Launch, takesPart } from '../launches/collabs.js';
import { evidenceAfter, type PostEvidence } from '../launches/evidence.js';
import { isToBeRead, paidPercentOf, undisclosedAmong } from '../vetting/content-checks.js';
import { followerJump, syncsAfter } from '../vetting/follower-jump.js';
import { ageInDays, reviewOf, type VettingFacts } from '../vetting/vetting.js';
import { takeUnits } from './import-units.js';
import { creatorToReview, type OpenedTask } from './tasks.js';

export type ImportSource = {
  asOf: Date;
  recordedAt: Date;
  viewsSource: ViewsSource;
  setBy: string;
  launches?: readonly Launch[];
};

/** A new id; the importer hands in the random one, tests their own. */
export type NewId = () => string;

/** What one row of an import becomes. `prices` are the rows to add, `tasks` what the team is told, `evidence` what its posts show. */
export type Taken = {
  creator: Omit<Creator, 'network_version'>;
  prices: PriceRow[];
  identity: Identity;
  evidence: readonly PostEvidence[];
  tasks: readonly OpenedTask[];
};

const NEW: SaleStatus = {
  status: 'not_reviewed',
  active: true,
  flag_inactive: false,
  excluded: false,
  manual_only: false,
};

/**
 * Turns the facts of one creator into its document, its new price rows and its identity. `held` is what catalog knows
 * already: id, unit ids and the operator's decisions stay. `posts` says whether the import states posts at all; without
 * them the figures stay as they are; `handles` are further ones that are kept out of its texts. Source: domain 1-network 12.
 */
export const takeCreator = (
  facts: ImportedCreator,
  held: Creator | null,
  source: ImportSource,
  newId: NewId,
  of: { posts: boolean; avatar?: AvatarAsked; evidence?: readonly PostEvidence[]; handles?: readonly string[] } = {
    posts: true,
  },
): Taken => {
  const clean = cleanerFor(facts.handle, ...(of.handles ?? []));
  const cleaned = (text: string | null, max: number): string | null =>
    text === null ? null : atMost(clean(text), max) || null;
  const bio = cleaned(facts.bio, BIO_MAX);
  const { generated } = facts;
  const id = held?._id ?? generated?.id ?? newId();
  const measured = of.posts || held === null;
  const computed = measured
    ? figuresOf({ followers: facts.followers, bio, posts: facts.posts, syncedAt: source.asOf }, clean)
    : heldFigures(held, facts, bio);
  // Nobody has said how much a creator posts whose posts were never stated.
  const known = of.posts || held !== null ? computed : { ...computed, posts_per_week: null };
  const figures = { ...known, weights: withPins(known.weights, held) };

  const review = reviewOf(vettingFacts(facts, of.posts, held, figures, source), dayOf(source.asOf));
  const offered = facts.units.map((unit) => ({
    ...unit,
    label: cleaned(unit.label, LABEL_MAX),
    deliverable: cleaned(unit.deliverable, DELIVERABLE_MAX),
  }));
  const { units, prices, tasks } = takeUnits({ ...facts, units: offered }, held?.units ?? [], id, source, newId);
  const saleStatus = saleStatusOf(facts, held, review);
  const launches = source.launches ?? [];
  const evidence = evidenceAfter(of.evidence ?? [], facts.posts, clean, of.posts ? takesPart(launches) : () => true);

  return {
    creator: {
      _id: id,
      network_id: facts.network_id === '' ? `creator:${id}` : facts.network_id,
      name: cleaned(facts.name, NAME_MAX),
      bio,
      followers: facts.followers,
      verified_badge: facts.verified_badge,
      country: cleaned(facts.country, PLACE_MAX),
      language: held?.pinned?.language === true ? held.language : cleaned(facts.language, PLACE_MAX),
      avatar: of.avatar?.avatar_source === null ? null : (held?.avatar ?? null),
      ...saleStatus,
      vetting: decidedOn(held, saleStatus, review),
      views_source: measured ? source.viewsSource : held.views_source,
      synced_at: source.asOf,
      refresh_failed_at: null,
      ...figures,
      collabs: collabsAfter(held?.collabs ?? [], evidence, launches),
      units,
      generated: generated === null ? (held?.generated ?? null) : { seed: generated.seed, index: generated.index },
      account: {
        created_at: facts.account_created_at,
        protected: facts.protected,
        parody: facts.parody,
        withheld: facts.withheld,
      },
      sync_review: review,
      past_syncs: syncsAfter(pastSyncsOf(held), syncOf(facts, figures, source)),
      ...operatorsOwn(held),
    },
    prices,
    evidence,
    tasks:
      held?.status === 'approved' && saleStatus.status === 'borderline'
        ? [creatorToReview(id, source.asOf, review.concern, source.recordedAt), ...tasks]
        : tasks,
    identity: {
      _id: id,
      handle: facts.handle,
      handle_lower: facts.handle.toLowerCase(),
      url: facts.url,
      post_urls: [],
      ...(of.avatar ?? { avatar_source: null }),
    },
  };
};

/** A picture that no time stands against: it is fetched as soon as somebody looks. */
const AT_ONCE = new Date(0);

/** Where the picture comes from after a sync: one that is stated is fetched anew, else all stays as it is held. */
export const avatarAfter = (
  stated: string | null | undefined,
  { avatar_source, avatar_due_at, avatar_tries }: AvatarAsked = { avatar_source: null },
): AvatarAsked => {
  if (stated !== undefined) return stated ? { avatar_source: stated, avatar_due_at: AT_ONCE } : { avatar_source: null };
  return {
    avatar_source,
    ...(avatar_due_at === undefined ? {} : { avatar_due_at }),
    ...(avatar_tries === undefined ? {} : { avatar_tries }),
  };
};

/** What an operator has set and no sync touches. */
const operatorsOwn = (held: Creator | null): Pick<Creator, 'pinned' | 'notes' | 'exclusion_reason' | 'decided_at'> => ({
  ...(held?.pinned == null ? {} : { pinned: held.pinned }),
  ...(held?.notes === undefined ? {} : { notes: held.notes }),
  ...(held?.exclusion_reason === undefined ? {} : { exclusion_reason: held.exclusion_reason }),
  ...(held?.decided_at === undefined ? {} : { decided_at: held.decided_at }),
});

/** Weights with the operator's pins in place of what was computed, strongest first (section 6.3). */
export const withPins = (weights: readonly SegmentWeight[], held: Pick<Creator, 'pinned'> | null): SegmentWeight[] => {
  const pins = held?.pinned?.weights ?? null;
  if (pins === null) return [...weights];
  const pinned = new Map(pins.map(({ id, w }) => [id, w]));
  const kept = weights.filter(({ id }) => !pinned.has(id));
  const set = pins.map(({ id, w }) => ({ id, w, posts: weights.find((one) => one.id === id)?.posts ?? 0 }));
  return [...kept, ...set].sort((one, other) => other.w - one.w || (one.id < other.id ? -1 : 1));
};

/** The figures as they are held, for an import that states a profile alone. */
const heldFigures = (held: Creator, facts: ImportedCreator, bio: string | null): Figures & { posts: HeldPost[] } => ({
  reach_band: bandOf(facts.followers),
  median_views_30d: held.median_views_30d,
  engagement_rate_30d: held.engagement_rate_30d,
  posts_per_week: held.posts_per_week,
  posts_measured: held.posts_measured,
  ...(held.posts_held !== undefined && { posts_held: held.posts_held }),
  expected_views: held.expected_views,
  views_series: held.views_series,
  posts_summary: held.posts_summary,
  positioning: positioningOf(bio, POSITIONING_MAX),
  weights: held.weights,
  posts: held.posts,
});

/** What the vetting checks read: the posts of this import, else what is held of them; null where none were ever stated. */
const vettingFacts = (
  facts: ImportedCreator,
  posts: boolean,
  held: Creator | null,
  figures: Figures,
  source: ImportSource,
): VettingFacts => {
  const inWindow = windowOf(facts.posts, source.asOf);
  const newest = posts ? inWindow[0]?.created_at : held?.posts[0]?.published_at;
  return {
    accountAgeDays: ageInDays(facts.account_created_at, source.asOf),
    followers: facts.followers,
    isPublic: !(facts.protected || facts.parody || facts.withheld),
    postsIn30Days: posts ? inWindow.length : postsHeldIn30Days(held),
    lastPostAgeDays: ageInDays(newest ?? null, source.asOf),
    medianViews: figures.median_views_30d,
    engagementRate: figures.engagement_rate_30d,
    followerJumpPercent: followerJump(pastSyncsOf(held), syncOf(facts, figures, source)),
    paidPostsPercent: posts ? paidPercentOf(inWindow) : figureFound(held, 'paid_posts_percent'),
    undisclosedPaidPosts: posts ? undisclosedAmong(inWindow) : figureFound(held, 'undisclosed_paid_posts'),
    unsafe:
      isToBeRead([facts.bio ?? '', ...inWindow.map(({ text }) => text)]) || (!posts && wasToBeRead(held))
        ? 'to_be_read'
        : 'none',
  };
};

const postsHeldIn30Days = (held: Creator | null): number | null =>
  held?.posts_per_week == null ? null : Math.round((held.posts_per_week * WINDOW_DAYS) / 7);

/** What earlier syncs found, as far as it is held. */
const pastSyncsOf = (held: Creator | null): readonly PastSync[] =>
  held?.past_syncs ??
  (held?.synced_at == null
    ? []
    : [{ at: held.synced_at, followers: held.followers, median_views: held.median_views_30d }]);

const syncOf = (facts: ImportedCreator, figures: Figures, { asOf }: ImportSource): PastSync => ({
  at: asOf,
  followers: facts.followers,
  median_views: figures.median_views_30d,
});

/** The figure that the last sync found for a check, where this one has no facts of its own. */
const figureFound = (held: Creator | null, name: string): number | null => {
  const figure = held?.sync_review?.checks.find(({ check }) => check === name)?.figure;
  return typeof figure === 'number' ? figure : null;
};

const wasToBeRead = (held: Creator | null): boolean =>
  held?.sync_review?.checks.find(({ check }) => check === 'unsafe_content')?.figure === 'to_be_read';

/** Status and switches after a sync: it may take an approved creator to borderline, and sets the flag unless it is pinned. */
const saleStatusOf = ({ generated }: ImportedCreator, held: Creator | null, review: SyncReview): SaleStatus => {
  const before = generated?.status ?? held?.status ?? NEW.status;
  const falls = generated === null && before === 'approved' && review.concern !== null;
  return {
    status: falls ? 'borderline' : before,
    active: generated?.active ?? held?.active ?? NEW.active,
    flag_inactive: held?.pinned?.flag ?? (review.inactive || (generated?.flag_inactive ?? false)),
    excluded: generated?.excluded ?? held?.excluded ?? NEW.excluded,
    manual_only: held?.manual_only ?? NEW.manual_only,
  };
};

/** What was found when the status was decided stays with it; a new status stands on the checks of this sync. */
const decidedOn = (held: Creator | null, { status }: SaleStatus, review: SyncReview): Vetting =>
  held?.status === status && held.vetting !== null ? held.vetting : vettingOf(review);

/** The part of a review that a status is explained by. */
export const vettingOf = ({ passed, of, on, inactive, concern }: SyncReview): Vetting => ({
  passed,
  of,
  on,
  inactive,
  concern,
});
