/** Launches a creator took part in, and paid partnerships found in its posts (domain 1-network 7, tracked launches). */
import { resolveAudience } from './audience.js';
import { COLLAB_MONTHS, COLLABS_FULL, COLLABS_KEPT_MAX, COLLABS_SHOWN_MAX, LAUNCH_DAYS } from './constants.js';
import { addDays, dayOf } from './days.js';
import type { Audience } from './score.js';

/** A brand as the operator's list of launches names it; the handle is the brand's own. */
export type LaunchBrand = { name: string; handle: string | null; site: string | null; avatar_url: string | null };

/** A launch that the operator tracks. `date` is a day. */
export type Launch = {
  _id: string;
  project: string;
  title: string | null;
  brand: LaunchBrand;
  date: string;
  segments: string[];
};

export type CollabRole = 'Launch post' | 'Quoted the launch' | 'Paid partnership';

/** One entry of past_collabs as it is kept. `launch_id` is null for a partnership that no launch explains. */
export type Collab = {
  launch_id: string | null;
  project: string;
  title: string | null;
  date: string;
  role: CollabRole;
  brand: LaunchBrand | null;
  segments: string[];
};

/** What matching reads of a post, before its text is cleaned. */
export type CollabPost = {
  created_at: Date;
  text: string;
  paid_partnership: boolean;
  quoted_handle?: string | null | undefined;
};

const bare = (handle: string): string => handle.replace(/^@/, '').toLowerCase();

const namesHandle = (text: string, handle: string): boolean =>
  (text.toLowerCase().match(/[@\uFF20]\w{1,30}/gu) ?? []).some((mention) => mention.slice(1) === bare(handle));

/** Host and path of a site, without scheme, www and a slash at the end. */
const siteOf = (site: string): string =>
  site
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '');

const linksSite = (text: string, site: string): boolean =>
  text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => siteOf(word.replace(/^[("'<]+|[)"'>.,;:!?]+$/g, '')))
    .some((link) => link === siteOf(site) || ['/', '?', '#'].some((next) => link.startsWith(`${siteOf(site)}${next}`)));

const standsInTime = (day: string, launch: Launch): boolean =>
  day >= addDays(launch.date, -LAUNCH_DAYS.before) && day <= addDays(launch.date, LAUNCH_DAYS.after);

/** How a post took part in a launch; null when it did not. */
const roleIn = (post: CollabPost, launch: Launch): CollabRole | null => {
  const { handle, site } = launch.brand;
  if (!standsInTime(dayOf(post.created_at), launch)) return null;
  const quoted = post.quoted_handle ?? null;
  if (handle !== null && quoted !== null && bare(quoted) === bare(handle)) return 'Quoted the launch';
  const named = (handle !== null && namesHandle(post.text, handle)) || (site !== null && linksSite(post.text, site));
  return named ? 'Launch post' : null;
};

const DISCLOSURE = /(?:^|[^\p{L}\p{N}_#])#(?:ad|sponsored)(?![\p{L}\p{N}_])|paid partnership with/iu;
const PARTNER = /paid partnership with\s+([\p{Lu}\p{N}][\p{L}\p{N}&.'’-]*(?:\s+[\p{Lu}\p{N}][\p{L}\p{N}&.'’-]*){0,3})/u;

/** Whether a post says that it was paid for: the network's mark or a disclosure tag. */
export const isDisclosed = (post: Pick<CollabPost, 'text' | 'paid_partnership'>): boolean =>
  post.paid_partnership || DISCLOSURE.test(post.text);

/** The project of a partnership whose partner the post does not name. */
export const PARTNER_NOT_NAMED = 'Partner not named';

const partnerOf = (text: string): string =>
  PARTNER.exec(text.replace(/paid partnership with/giu, 'paid partnership with'))?.[1]?.replace(/[.'’-]+$/, '') ??
  PARTNER_NOT_NAMED;

/** Launches before partnerships, each newest first; of one day by project. */
const inOrder = (one: Collab, other: Collab): number =>
  Number(one.launch_id === null) - Number(other.launch_id === null) ||
  (one.date < other.date ? 1 : one.date > other.date ? -1 : 0) ||
  (one.project < other.project ? -1 : Number(one.project > other.project));

const keyOf = ({ launch_id, project, date }: Collab): string => launch_id ?? `${date}|${project}`;

const asCollab = (launch: Launch, role: CollabRole): Collab => ({
  launch_id: launch._id,
  project: launch.project,
  title: launch.title,
  date: launch.date,
  role,
  brand: launch.brand,
  segments: launch.segments,
});

/**
 * The collaborations of a creator after a sync: what its posts show, and what was known before of posts that have left
 * the window. One entry per launch, a launch post before a quote; launches newest first, then partnerships. `launches`
 * are all that are tracked now: one that was taken off the list is forgotten, one that was edited is told anew.
 */
export const collabsAfter = (
  held: readonly Collab[],
  posts: readonly CollabPost[],
  launches: readonly Launch[],
  clean: (text: string) => string,
): Collab[] => {
  const found = new Map<string, Collab>();
  const take = (collab: Collab): void => {
    const before = found.get(keyOf(collab));
    if (before === undefined || (before.role === 'Quoted the launch' && collab.role === 'Launch post'))
      found.set(keyOf(collab), collab);
  };

  const tracked = new Map(launches.map((launch) => [launch._id, launch]));
  for (const collab of held) {
    const launch = collab.launch_id === null ? undefined : tracked.get(collab.launch_id);
    if (launch !== undefined) take(asCollab(launch, collab.role));
    if (collab.launch_id === null) take(collab);
  }
  for (const post of posts) {
    const matches = launches.flatMap((launch) => {
      const role = roleIn(post, launch);
      return role === null ? [] : [asCollab(launch, role)];
    });
    for (const collab of matches) take(collab);
    if (matches.length > 0 || !isDisclosed(post)) continue;
    take({
      launch_id: null,
      project: clean(partnerOf(post.text)) || PARTNER_NOT_NAMED,
      title: null,
      date: dayOf(post.created_at),
      role: 'Paid partnership',
      brand: null,
      segments: resolveAudience(post.text).segments.map(({ id }) => id),
    });
  }
  return [...found.values()].sort(inOrder).slice(0, COLLABS_KEPT_MAX);
};

/** The collaborations of a creator once a launch reads otherwise, or is tracked no more when `now` is null. */
export const collabsWith = (held: readonly Collab[], launchId: string, now: Launch | null): Collab[] =>
  held
    .flatMap((collab) => {
      if (collab.launch_id !== launchId) return [collab];
      return now === null ? [] : [asCollab(now, collab.role)];
    })
    .sort(inOrder);

/** The entries that are shown: at most twelve. */
export const collabsShown = (collabs: readonly Collab[]): readonly Collab[] => collabs.slice(0, COLLABS_SHOWN_MAX);

/** First letters of the first two words of a brand's name, in capitals. */
export const initialsOf = (name: string): string | null =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, 2)
    .map((word) => ([...word][0] ?? '').toUpperCase())
    .join('') || null;

/** The day 12 months before `day`. */
const yearBefore = (day: string): string => `${Number(day.slice(0, 4)) - COLLAB_MONTHS / 12}${day.slice(4)}`;

/** Launches and partnerships of the last 12 months up to `day` in segments of an audience, and which of its segments. */
export const launchesFor = (
  collabs: readonly Collab[],
  audience: Audience,
  day: string,
): { count: number; segments: string[] } => {
  const since = yearBefore(day);
  const ids = audience.map(({ id }) => id);
  const taken = collabs.filter(
    ({ date, segments }) => date >= since && date <= day && segments.some((id) => ids.includes(id)),
  );
  const spoken = new Set(taken.flatMap(({ segments }) => segments));
  return { count: taken.length, segments: ids.filter((id) => spoken.has(id)) };
};

/** The launch part of the match score, 0 to 1. */
export const launchPart = (count: number): number => Math.min(1, count / COLLABS_FULL);
