/** One imported creator as catalog keeps it: cleaned, measured and priced (domain 1-network 1 to 3, 6.3 and 12). */
import { cleanerFor } from './cleaning.js';
import type {
  Creator,
  CurrentPrice,
  Identity,
  ImportedCreator,
  ImportedUnit,
  PriceRow,
  Standing,
  Unit,
  Vetting,
  ViewsSource,
} from './creator.js';
import { dayOf } from './days.js';
import { figuresOf, windowOf } from './figures.js';
import { allInCents, currentAfter, DELIVERABLE, FORMAT_LABEL } from './prices.js';
import { ageInDays, vet } from './vetting.js';

export type ImportSource = { asOf: Date; recordedAt: Date; viewsSource: ViewsSource; setBy: string };

/** A new id; the importer hands in the random one, tests their own. */
export type NewId = () => string;

/** What one row of an import becomes. `prices` are the rows to add. */
export type Taken = { creator: Omit<Creator, 'network_version'>; prices: PriceRow[]; identity: Identity };

const NEW: Standing = {
  status: 'not_reviewed',
  active: true,
  flag_inactive: false,
  excluded: false,
  manual_only: false,
};

/**
 * Turns the facts of one creator into its document, its new price rows and its identity. `held` is what catalog knows
 * already: id, unit ids and the operator's decisions stay. Source: domain 1-network 12.
 */
export const takeCreator = (
  facts: ImportedCreator,
  held: Creator | null,
  source: ImportSource,
  newId: NewId,
): Taken => {
  const clean = cleanerFor(facts.handle);
  const cleaned = (text: string | null): string | null => (text === null ? null : clean(text) || null);
  const bio = cleaned(facts.bio);
  const { generated } = facts;
  const id = held?._id ?? generated?.id ?? newId();
  const figures = figuresOf({ followers: facts.followers, bio, posts: facts.posts, syncedAt: source.asOf }, clean);

  const inWindow = windowOf(facts.posts, source.asOf);
  const paid = inWindow.filter((post) => post.paid_partnership).length;
  const vetting = vet(
    {
      accountAgeDays: ageInDays(facts.account_created_at, source.asOf),
      followers: facts.followers,
      isPublic: !(facts.protected || facts.parody || facts.withheld),
      postsIn30Days: inWindow.length,
      lastPostAgeDays: ageInDays(inWindow[0]?.created_at ?? null, source.asOf),
      medianViews: figures.median_views_30d,
      engagementRate: figures.engagement_rate_30d,
      followerJumpPercent: null,
      paidPostsPercent: inWindow.length === 0 ? 0 : (100 * paid) / inWindow.length,
      undisclosedPaidPosts: 0,
      unsafe: 'none',
    },
    dayOf(source.asOf),
  );
  const offered = facts.units.map((unit) => ({
    ...unit,
    label: cleaned(unit.label),
    deliverable: cleaned(unit.deliverable),
  }));
  const { units, prices } = takeUnits({ ...facts, units: offered }, held?.units ?? [], id, source, newId);
  const standing: Standing = {
    status: generated?.status ?? held?.status ?? NEW.status,
    active: generated?.active ?? held?.active ?? NEW.active,
    flag_inactive: vetting.inactive || (generated?.flag_inactive ?? false),
    excluded: generated?.excluded ?? held?.excluded ?? NEW.excluded,
    manual_only: held?.manual_only ?? NEW.manual_only,
  };

  return {
    creator: {
      _id: id,
      network_id: facts.network_id,
      name: cleaned(facts.name),
      bio,
      followers: facts.followers,
      verified_badge: facts.verified_badge,
      country: cleaned(facts.country),
      language: cleaned(facts.language),
      avatar_url: held?.avatar_url ?? null,
      ...standing,
      vetting: reviewOf(held, standing, vetting),
      views_source: source.viewsSource,
      synced_at: source.asOf,
      refresh_failed_at: null,
      ...figures,
      units,
      generated: generated === null ? null : { seed: generated.seed, index: generated.index },
    },
    prices,
    identity: {
      _id: id,
      handle: facts.handle,
      handle_lower: facts.handle.toLowerCase(),
      url: facts.url,
      post_urls: [],
      avatar_source: null,
    },
  };
};

/** What was found when the status was decided stays with it; a new status stands on the checks of this sync. */
const reviewOf = (held: Creator | null, { status }: Standing, found: Vetting): Vetting =>
  held?.status === status && held.vetting !== null ? held.vetting : found;

/** The units of a creator after an import, in the order post, quote, thread, and the price rows that are new. */
const takeUnits = (
  facts: ImportedCreator,
  held: readonly Unit[],
  creatorId: string,
  source: ImportSource,
  newId: NewId,
): { units: Unit[]; prices: PriceRow[] } => {
  const prices: PriceRow[] = [];
  const taken = (['post', 'quote', 'thread'] as const).flatMap((format): Unit[] => {
    const before = held.find((unit) => unit.format === format);
    const offered = facts.units.find((unit) => unit.format === format);
    if (offered === undefined) return before === undefined ? [] : [before];

    const unitId = before?.unit_id ?? facts.generated?.unit_ids[format] ?? newId();
    const price = priceOf(offered, source);
    if (!isSamePrice(before?.price ?? null, price)) {
      prices.push({
        _id: newId(),
        unit_id: unitId,
        creator_id: creatorId,
        net_ask_cents: offered.ask_cents,
        set_by: source.setBy,
        ...price,
      });
    }
    return [
      {
        unit_id: unitId,
        format,
        label: offered.label ?? FORMAT_LABEL[format],
        deliverable: offered.deliverable ?? DELIVERABLE[format],
        price: isSamePrice(before?.price ?? null, price)
          ? (before?.price ?? null)
          : currentAfter(before?.price ?? null, price),
      },
    ];
  });
  return { units: taken, prices };
};

const priceOf = (unit: ImportedUnit, source: ImportSource): CurrentPrice => ({
  price_cents: allInCents(unit.ask_cents),
  source: unit.source,
  method: unit.method,
  as_of: unit.as_of,
  recorded_at: source.recordedAt,
});

const isSamePrice = (held: CurrentPrice | null, offered: CurrentPrice): boolean =>
  held !== null &&
  held.price_cents === offered.price_cents &&
  held.as_of === offered.as_of &&
  held.method === offered.method;
