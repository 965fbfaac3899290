/** One imported creator as catalog stores it: cleaned, measured and priced (docs/domain/network.md#imports). */
import { dayOf } from '@cds/service/calendar';
import { BIO_MAX, DAY_MS, DELIVERABLE_MAX, LABEL_MAX, NAME_MAX, PLACE_MAX, POSITIONING_MAX } from '../constants.js';
import { atMost, cleanerFor, positioningOf } from '../creator/cleaning.js';
import type {
  AvatarAsked,
  Creator,
  Figures,
  HeldPost,
  Identity,
  PriceRow,
  SaleStatus,
  SyncReview,
  Vetting,
} from '../creator/creator.js';
import { bandOf, figuresOf } from '../creator/figures.js';
import { handleHider } from '../creator/own-handle.js';
import { cleanedPosts, cleanedUnits } from '../creator/stored-texts.js';
import { withPins } from '../creator/weights.js';
import { collabsAfter, takesPart, withoutOwnHandle } from '../launches/collabs.js';
import { evidenceAfter, type PostEvidence } from '../launches/evidence.js';
import { syncsAfter } from '../vetting/follower-jump.js';
import { reviewOf, vettingOf } from '../vetting/vetting.js';
import type { ImportSource, NewId } from './import-source.js';
import { takeUnits } from './import-units.js';
import type { ImportedCreator } from './imported-creator.js';
import { pastSyncsOf, syncOf, vettingFacts } from './sync-facts.js';
import { creatorToReview, type OpenedTask } from './tasks.js';

export type Taken = {
  creator: Omit<Creator, 'network_version'>;
  prices: PriceRow[];
  identity: Identity;
  evidence: readonly PostEvidence[];
  tasks: readonly OpenedTask[];
};

export type TakenWith = {
  posts: boolean;
  avatar?: AvatarAsked;
  evidence?: readonly PostEvidence[];
  /** More handles to remove from its texts. */
  handles?: readonly string[];
};

const NEW: SaleStatus = {
  status: 'not_reviewed',
  active: true,
  flag_inactive: false,
  excluded: false,
  manual_only: false,
};

/** The id, unit ids and the operator's decisions of `held` stay. Source: docs/domain/network.md#imports. */
export const takeCreator = (
  facts: ImportedCreator,
  held: Creator | null,
  source: ImportSource,
  newId: NewId,
  of: TakenWith = { posts: true },
): Taken => {
  const clean = cleanerFor(facts.handle, ...(of.handles ?? []));
  const hide = handleHider([facts.handle, ...(of.handles ?? [])]);
  const cleaned: Cleaned = (text, max) => (text === null ? null : atMost(clean(text), max) || null);
  const bio = cleaned(facts.bio, BIO_MAX);
  const id = held?._id ?? facts.generated?.id ?? newId();
  const figures = figuresAfter(facts, held, bio, of.posts, source, clean);

  const review = reviewOf(vettingFacts(facts, of.posts, held, figures, source), dayOf(source.asOf));
  const offered = facts.units.map((unit) => ({
    ...unit,
    label: cleaned(unit.label, LABEL_MAX),
    deliverable: cleaned(unit.deliverable, DELIVERABLE_MAX),
  }));
  const heldUnits = cleanedUnits(held?.units ?? [], clean);
  const { units, prices, tasks } = takeUnits({ ...facts, units: offered }, heldUnits, id, source, newId);
  const saleStatus = saleStatusOf(facts, held, review);
  const launches = source.launches ?? [];
  // A partnership of an edited post is that of its newest version.
  const former = new Set(facts.posts.flatMap(({ former_ids = [] }) => former_ids));
  const collabs = (held?.collabs ?? []).filter(({ post_id: post }) => post === undefined || !former.has(post));
  const evidence = evidenceAfter(of.evidence ?? [], facts.posts, clean, of.posts ? takesPart(launches) : () => true);

  return {
    creator: {
      _id: id,
      network_id: facts.network_id === '' ? `creator:${id}` : facts.network_id,
      ...profileOf(facts, held, cleaned),
      bio,
      avatar: facts.generated?.avatar ?? (of.avatar?.avatar_source === null ? null : (held?.avatar ?? null)),
      ...saleStatus,
      vetting: vettingAfter(held, saleStatus, review),
      views_source: of.posts || held === null ? source.viewsSource : held.views_source,
      ...syncTimes(facts, source.asOf),
      ...figures,
      collabs: collabsAfter(collabs, evidence, launches).map((collab) => withoutOwnHandle(collab, hide)),
      units,
      sync_review: review,
      past_syncs: syncsAfter(pastSyncsOf(held), syncOf(facts, figures, source)),
      ...setByPeople(held),
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
      ...(of.avatar ?? { avatar_source: null }),
    },
  };
};

/** A third-party text without handles and links, at most `max` characters; null when nothing is left. */
type Cleaned = (text: string | null, max: number) => string | null;

const profileOf = (
  facts: ImportedCreator,
  held: Creator | null,
  cleaned: Cleaned,
): Pick<Creator, 'name' | 'followers' | 'verified_badge' | 'country' | 'language' | 'generated' | 'account'> => ({
  name: cleaned(facts.name, NAME_MAX),
  followers: facts.followers,
  verified_badge: facts.verified_badge,
  country: cleaned(facts.country, PLACE_MAX),
  language: held?.pinned?.language === true ? held.language : cleaned(facts.language, PLACE_MAX),
  generated:
    facts.generated === null ? (held?.generated ?? null) : { seed: facts.generated.seed, index: facts.generated.index },
  account: {
    created_at: facts.account_created_at,
    protected: facts.protected,
    parody: facts.parody,
    withheld: facts.withheld,
  },
});

const syncTimes = ({ generated }: ImportedCreator, asOf: Date): Pick<Creator, 'synced_at' | 'refresh_failed_at'> =>
  generated?.refresh_failed === true
    ? { synced_at: new Date(asOf.getTime() - DAY_MS), refresh_failed_at: asOf }
    : { synced_at: asOf, refresh_failed_at: null };

const AT_ONCE = new Date(0);

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

type Kept = Pick<Creator, 'pinned' | 'notes' | 'exclusion_reason' | 'own_pause' | 'decided_at'>;

const setByPeople = (held: Creator | null): Kept => ({
  ...(held?.pinned == null ? {} : { pinned: held.pinned }),
  ...(held?.notes === undefined ? {} : { notes: held.notes }),
  ...(held?.exclusion_reason === undefined ? {} : { exclusion_reason: held.exclusion_reason }),
  ...(held?.own_pause === undefined ? {} : { own_pause: held.own_pause }),
  ...(held?.decided_at === undefined ? {} : { decided_at: held.decided_at }),
});

type Measured = Figures & { posts: HeldPost[] };

/** The figures after an import: computed from its posts, or the stored ones when it states a profile alone. */
const figuresAfter = (
  facts: ImportedCreator,
  held: Creator | null,
  bio: string | null,
  posts: boolean,
  { asOf }: ImportSource,
  clean: (text: string) => string,
): Measured => {
  const computed =
    posts || held === null
      ? figuresOf({ followers: facts.followers, bio, posts: facts.posts, syncedAt: asOf }, clean)
      : heldFigures(held, facts, bio, clean);
  // Without any stated posts, how often the creator posts is unknown rather than never.
  const known = posts || held !== null ? computed : { ...computed, posts_per_week: null };
  return { ...known, weights: withPins(known.weights, held) };
};

/** What was stored is cleaned again, since the creator may have another handle now. */
const heldFigures = (
  held: Creator,
  facts: ImportedCreator,
  bio: string | null,
  clean: (text: string) => string,
): Measured => ({
  reach_band: bandOf(facts.followers),
  median_views_30d: held.median_views_30d,
  engagement_rate_30d: held.engagement_rate_30d,
  posts_per_week: held.posts_per_week,
  posts_measured: held.posts_measured,
  ...(held.posts_held !== undefined && { posts_held: held.posts_held }),
  expected_views: held.expected_views,
  views_series: held.views_series,
  positioning: positioningOf(bio, POSITIONING_MAX),
  weights: held.weights,
  ...cleanedPosts(held, clean),
});

/** Status and switches after a sync. It may move an approved creator to borderline; it sets the flag unless pinned. */
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

const vettingAfter = (held: Creator | null, { status }: SaleStatus, review: SyncReview): Vetting =>
  held?.status === status && held.vetting !== null ? held.vetting : vettingOf(review);
