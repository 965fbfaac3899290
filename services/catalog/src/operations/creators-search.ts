import { badRequest, type Input, isServed } from '@cds/contracts';
import { Encoded, type ReadHandler } from '@cds/service';
import {
  audienceInForce,
  emptyNote,
  mustNameSomething,
  needsAudienceOnFile,
} from '../domain/audience/audience-in-force.js';
import { PAGE_SIZE } from '../domain/constants.js';
import { countryAsked } from '../domain/geography/countries.js';
import type { Audience } from '../domain/matching/score.js';
import { type Shortlist, shortlistFor } from '../domain/matching/shortlist.js';
import { handleWordOf, termsOf } from '../domain/search-terms.js';
import type { EnumerationDetector } from '../identity/enumeration-detector.js';
import type { KnownHandles } from '../identity/known-handles.js';
import { bookRead } from '../metering/book-read.js';
import { rowPrefix } from '../present/row.js';
import type { Audiences } from '../snapshot/audiences.js';
import { type Listed, type ListQuery, listRows } from '../snapshot/list.js';
import type { NetworkMemory } from '../snapshot/memory.js';
import type { Network } from '../snapshot/network.js';
import type { PriceOf } from '../snapshot/rows.js';
import type { Meters } from '../store/meters.js';

type Query = Input<'creators_search'>;

/**
 * Read from memory, then booked, then cut to the day's limit (docs/specification.md#browse-creators). Raises
 * bad_request, filter_required and rate_limited.
 */
export const creatorsSearch: ReadHandler<
  'creators_search',
  {
    audiences: Pick<Audiences, 'of'>;
    memory: NetworkMemory;
    meters: Pick<Meters, 'book'>;
    handles: Pick<KnownHandles, 'rowsNamed'>;
    enumerationDetector: Pick<EnumerationDetector, 'note'>;
  }
> = async (ctx, input, { audiences, memory, meters, handles, enumerationDetector }) => {
  const onFile = needsAudienceOnFile(input) ? (await audiences.of(ctx.principal.workspace)).segments : [];
  const inForce = audienceInForce(input, onFile);
  mustNameSomething(input, inForce);
  const audience = inForce?.audience ?? null;

  const network = memory.at(ctx.networkNow);
  const terms = input.q === undefined ? null : termsOf(input.q);
  const q = terms?.map((term) => {
    const word = handleWordOf(term);
    if (word === null) return { term, byHandle: null };
    enumerationDetector.note(ctx.principal.workspace, word);
    return { term, byHandle: handles.rowsNamed(word, network, () => network.ids()) };
  });
  const listed = listRows(network, listQuery(input, audience, countriesOf(input, network), q ?? null));
  const total = listed.passing.length;
  const shortlist =
    input.budget === undefined ? null : shortlistOf(network, listed, input.budget, input.format ?? 'any');
  const limit = input.limit ?? shortlist?.limit ?? PAGE_SIZE;
  const offset = Math.min(input.offset ?? 0, total);
  const { approved, priced } = memory.counts(ctx.networkNow);

  const head = JSON.stringify({
    total,
    priced: listed.priced,
    catalog: { approved, priced },
    cap: total,
    limit,
    offset,
    ...(shortlist === null ? {} : { shortlist }),
    ...(offset < total ? {} : { note: emptyNote(input, total, inForce) }),
  });
  const found = listed.passing.subarray(offset, offset + limit);
  const ids = [...found].map((index) => network.idAt(index));
  const { granted } = await bookRead(ctx, meters, { kind: 'list', creators: ids });
  const page = granted.length === ids.length ? found : cut(found, ids, granted);

  return new Encoded(
    encodedChunks(`${head.slice(0, -1)},"creators":[`, network, page, {
      audience,
      named: inForce?.named ?? null,
      scores: listed.view?.scores ?? null,
      goal: input.goal ?? null,
      withDeprecatedAliases: isServed('median_views_30d', ctx),
    }),
  );
};

const cut = (found: Uint32Array, ids: readonly string[], granted: readonly string[]): Uint32Array => {
  const shown = new Set(granted);
  return found.filter((_index, at) => shown.has(ids[at] ?? ''));
};

const countriesOf = ({ country }: Query, network: Network): readonly string[] | null => {
  if (country === undefined) return null;
  const asked = countryAsked(country, (name) => network.dictionaries.countries.asked(name) > 0);
  if ('problem' in asked) throw badRequest([{ field: 'country', message: asked.problem }]);
  return asked.names;
};

const listQuery = (
  input: Query,
  audience: Audience | null,
  countries: ListQuery['countries'],
  q: ListQuery['q'],
): ListQuery => ({
  audience,
  narrowing: input.match !== undefined && input.segment !== undefined ? input.segment : null,
  q,
  reachBand: input.reach_band ?? null,
  countries,
  language: input.language ?? null,
  followersMin: input.followers_min ?? null,
  followersMax: input.followers_max ?? null,
  rateMin: input.er_min ?? null,
  scoreMin: input.match_min ?? null,
  format: input.format ?? null,
  priceMinCents: input.price_min === undefined ? null : input.price_min * 100,
  priceMaxCents: input.price_max === undefined ? null : input.price_max * 100,
  onSale: input.on_sale ?? null,
  sort: input.sort ?? 'match',
  ascending: input.dir === 'asc',
});

const shortlistOf = (network: Network, { passing, view }: Listed, budgetUsd: number, of: PriceOf): Shortlist => {
  const bookable = [...passing].flatMap((index) => {
    const row = network.rows[index];
    return row?.bookable === true ? [{ score: view?.scores[index] ?? null, cheapestCents: row.cheapest[of] }] : [];
  });
  return shortlistFor(budgetUsd, bookable);
};

type PerRequest = {
  audience: Audience | null;
  named: string | null;
  scores: Uint8Array | null;
  goal: NonNullable<Query['goal']> | null;
  withDeprecatedAliases: boolean;
};

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/** The answer in chunks: head, then prefix and suffix of each row. Requests for the same fields share prefixes. */
const encodedChunks = (head: string, network: Network, page: Uint32Array, request: PerRequest): Buffer[] => {
  const { audience, named, scores, goal, withDeprecatedAliases } = request;
  const asked = `${goal}|${withDeprecatedAliases}|${named}|${JSON.stringify(audience)}`;
  const prefixOf = network.prefixes.forRequest(asked, (row, place) =>
    rowPrefix(row, {
      score: scores?.[place] ?? null,
      audience: named,
      reasons: audience === null ? [] : network.scores.reasonsFor(row.creator, audience),
      estimate: network.estimateOf(row),
      goal,
      withDeprecatedAliases,
    }),
  );
  const parts: Buffer[] = [Buffer.from(head)];
  for (const [at, place] of page.entries()) {
    const row = network.rows[place];
    if (row === undefined) continue;
    if (at > 0) parts.push(COMMA);
    parts.push(prefixOf(row, place), row.suffix);
  }
  parts.push(END);
  return parts;
};
