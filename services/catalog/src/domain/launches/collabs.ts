/** A creator's launches and paid partnerships (docs/domain/network.md#launches-and-partnerships). */
import { addDays } from '@cds/service/calendar';
import { COLLAB_MONTHS, COLLABS_FULL, COLLABS_KEPT_MAX, COLLABS_SHOWN_MAX, LAUNCH_DAYS } from '../constants.js';
import type { Audience } from '../matching/score.js';
import { bare, PARTNER_NOT_NAMED, type PostEvidence, siteOf } from './evidence.js';

export type LaunchBrand = { name: string; handle: string | null; site: string | null; avatar_url: string | null };

export type Launch = {
  _id: string;
  project: string;
  title: string | null;
  brand: LaunchBrand;
  date: string;
  segments: string[];
};

export type CollabRole = 'Launch post' | 'Quoted the launch' | 'Paid partnership';

/** `launch_id` is null for a partnership; `post_id` is its paid post, which entries of earlier releases lack. */
export type Collab = {
  launch_id: string | null;
  post_id?: string;
  project: string;
  title: string | null;
  date: string;
  role: CollabRole;
  brand: LaunchBrand | null;
  segments: string[];
};

const linksSite = (links: readonly string[], site: string): boolean =>
  links.some((link) => link === site || ['/', '?', '#'].some((next) => link.startsWith(`${site}${next}`)));

export const daysAround = (date: string): { from: string; to: string } => ({
  from: addDays(date, -LAUNCH_DAYS.before),
  to: addDays(date, LAUNCH_DAYS.after),
});

const roleIn = ({ day, quoted, named, links }: PostEvidence, { date, brand }: Launch): CollabRole | null => {
  const { from, to } = daysAround(date);
  if (day < from || day > to) return null;
  const handle = brand.handle === null ? null : bare(brand.handle);
  if (handle !== null && quoted === handle) return 'Quoted the launch';
  const site = brand.site === null ? '' : siteOf(brand.site);
  return (handle !== null && named.includes(handle)) || (site !== '' && linksSite(links, site)) ? 'Launch post' : null;
};

export const takesPart =
  (launches: readonly Launch[]) =>
  (post: PostEvidence): boolean =>
    launches.some((launch) => roleIn(post, launch) !== null);

/** Launches before partnerships, newest first, then by project. */
const inOrder = (one: Collab, other: Collab): number =>
  Number(one.launch_id === null) - Number(other.launch_id === null) ||
  (one.date < other.date ? 1 : one.date > other.date ? -1 : 0) ||
  (one.project < other.project ? -1 : Number(one.project > other.project));

/** Identifies a partnership by its post, or else by its day, its partner and its position among such of that day. */
const partnershipKeys = (): ((of: Collab) => string) => {
  const met = new Map<string, number>();
  return ({ post_id: post, project, date }) => {
    if (post !== undefined) return post;
    const key = `${date}|${project}`;
    met.set(key, (met.get(key) ?? 0) + 1);
    return `${key}|${met.get(key)}`;
  };
};

const asCollab = (launch: Launch, role: CollabRole): Collab => ({
  launch_id: launch._id,
  project: launch.project,
  title: launch.title,
  date: launch.date,
  role,
  brand: launch.brand,
  segments: launch.segments,
});

/** One entry per launch, where a launch post wins over a quote, and one per paid post that no launch explains. */
export const collabsAfter = (
  held: readonly Collab[],
  evidence: readonly PostEvidence[],
  launches: readonly Launch[],
): Collab[] => {
  const found = new Map<string, Collab>();
  const take = (launch: Launch, role: CollabRole): void => {
    const before = found.get(launch._id);
    if (before === undefined || (before.role === 'Quoted the launch' && role === 'Launch post'))
      found.set(launch._id, asCollab(launch, role));
  };

  const paid = evidence.filter((post) => post.paid !== null);
  const shown = new Set(paid.flatMap(({ id, day }) => [id, day]));
  const keyOfHeld = partnershipKeys();
  const tracked = new Map(launches.map((launch) => [launch._id, launch]));
  for (const collab of held) {
    const launch = collab.launch_id === null ? undefined : tracked.get(collab.launch_id);
    if (launch !== undefined) take(launch, collab.role);
    // An entry without a post is of a paid post of its day, whose evidence says more.
    if (collab.launch_id === null && !shown.has(collab.post_id ?? collab.date)) found.set(keyOfHeld(collab), collab);
  }
  for (const post of evidence) {
    const roles = launches.map((launch) => ({ launch, role: roleIn(post, launch) }));
    for (const { launch, role } of roles) if (role !== null) take(launch, role);
    const partnership = partnershipOf(post);
    if (partnership !== null && roles.every(({ role }) => role === null)) found.set(post.id, partnership);
  }
  return [...found.values()].sort(inOrder).slice(0, COLLABS_KEPT_MAX);
};

/** The collaborations of two duplicates, each once. */
export const collabsOfBoth = (one: readonly Collab[], other: readonly Collab[]): Collab[] => {
  const [keyOfOne, keyOfOther] = [partnershipKeys(), partnershipKeys()];
  const known = new Set(one.map((collab) => collab.launch_id ?? keyOfOne(collab)));
  return [...one, ...other.filter((collab) => !known.has(collab.launch_id ?? keyOfOther(collab)))];
};

const partnershipOf = ({ id, day, paid }: PostEvidence): Collab | null =>
  paid === null
    ? null
    : {
        launch_id: null,
        post_id: id,
        project: paid.project,
        title: null,
        date: day,
        role: 'Paid partnership',
        brand: null,
        segments: paid.segments,
      };

/** A collaboration without the creator's own handle, which a founder's launch may have as the brand's. */
export const withoutOwnHandle = (collab: Collab, hide: (text: string, gap: string) => string): Collab => {
  const unless = (text: string | null): string | null => (text === null || hide(text, '') === text ? text : null);
  const { project, title, brand } = collab;
  return {
    ...collab,
    project: hide(project, '').trim() || PARTNER_NOT_NAMED,
    title: title === null ? null : hide(title, '').trim() || null,
    brand: brand && {
      name: hide(brand.name, '').trim(),
      handle: unless(brand.handle),
      site: unless(brand.site),
      avatar_url: unless(brand.avatar_url),
    },
  };
};

export const collabsShown = (collabs: readonly Collab[]): readonly Collab[] => collabs.slice(0, COLLABS_SHOWN_MAX);

export const initialsOf = (name: string): string | null =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, 2)
    .map((word) => ([...word][0] ?? '').toUpperCase())
    .join('') || null;

/** The day 12 months before `day`. */
const yearBefore = (day: string): string => `${Number(day.slice(0, 4)) - COLLAB_MONTHS / 12}${day.slice(4)}`;

export const launchesFor = (
  collabs: readonly Collab[],
  audience: Audience,
  day: string,
): { count: number; partnerships: number; segments: string[] } => {
  const since = yearBefore(day);
  const ids = audience.map(({ id }) => id);
  const taken = collabs.filter(
    ({ date, segments }) => date >= since && date <= day && segments.some((id) => ids.includes(id)),
  );
  const spoken = new Set(taken.flatMap(({ segments }) => segments));
  const partnerships = taken.filter(({ launch_id: launch }) => launch === null).length;
  return { count: taken.length, partnerships, segments: ids.filter((id) => spoken.has(id)) };
};

export const launchPart = (count: number): number => Math.min(1, count / COLLABS_FULL);
