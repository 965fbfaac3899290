// The search for a replacement (docs/domain/orders.md#replacement-search).
import type { Replacement, Replacements } from '@cds/contracts';
import { addDays, dayOf } from '@cds/service/calendar';
import { after, type Chain, type OfferLine, type Search } from './chain.js';
import { CHOICE_MS, CHOICES, REPLACED_AHEAD_MS, SEARCH_HOUR, SEARCH_UNTIL_MS } from './constants.js';

export const windowEnd = ({ launch_window_end }: Pick<OfferLine, 'launch_window_end'>): Date =>
  new Date(`${addDays(launch_window_end, 1)}T00:00:00.000Z`);

/** When a line that nobody books is cancelled: when its window has ended, or at once if it has. */
export const endOf = (line: Pick<OfferLine, 'launch_window_end'>, at: Date): Date => {
  const end = windowEnd(line);
  return end > at ? end : at;
};

export const isSearchOver = (line: Pick<OfferLine, 'launch_window_end'>, at: Date): boolean =>
  windowEnd(line).getTime() - at.getTime() < SEARCH_UNTIL_MS;

export const begun = (at: Date): Search => ({ next_at: at, choose_until: null, candidates: [] });

export const nextMorning = (line: Pick<OfferLine, 'launch_window_end'>, at: Date): Date | null => {
  const today = new Date(`${dayOf(at)}T00:00:00.000Z`);
  today.setUTCHours(SEARCH_HOUR);
  const next = today > at ? today : after(today, 24 * 3_600_000);
  return isSearchOver(line, next) ? null : next;
};

/** The day that a replacement is asked to post: the line's, or the first at least 48 hours ahead, within the window. */
export const replacementDay = (line: OfferLine, at: Date): string => {
  const earliest = dayOf(after(at, REPLACED_AHEAD_MS));
  const day = line.scheduled_date < earliest ? earliest : line.scheduled_date;
  return day > line.launch_window_end ? line.launch_window_end : day;
};

export type Found = { replacements: Replacements; candidates: readonly Replacement[] };

export type SearchResult =
  | { kind: 'ask'; search: Search }
  | { kind: 'replace'; replacement: Replacement }
  | { kind: 'unfilled'; search: Search };

export const resultOf = ({ line, proposal }: Chain, found: Found, at: Date): SearchResult => {
  const [best] = isSearchOver(line, at) ? [] : found.candidates;
  if (best === undefined)
    return { kind: 'unfilled', search: { next_at: nextMorning(line, at), choose_until: null, candidates: [] } };
  const asked = proposal.search?.choose_until ?? null;
  if (found.replacements === 'auto' || asked !== null) return { kind: 'replace', replacement: best };
  const until = choiceEnd(line, at);
  return {
    kind: 'ask',
    search: { next_at: until, choose_until: until, candidates: found.candidates.slice(0, CHOICES).map(choiceOf) },
  };
};

/** The brand's day to choose ends early enough for the search to choose after it. */
const choiceEnd = (line: OfferLine, at: Date): Date => {
  const last = after(windowEnd(line), -SEARCH_UNTIL_MS);
  const until = after(at, CHOICE_MS);
  return until > last ? last : until;
};

const choiceOf = ({ unit_id, creator_id, name, price_cents, expected_views, match_score }: Replacement) => ({
  unit_id,
  creator_id,
  name,
  price_cents,
  expected_views,
  match_score,
});
