/** The audience that filters, scores and ranks a list (docs/domain/network.md#lists). */
import { AppError, badRequest, type Input } from '@cds/contracts';
import type { Audience } from '../matching/score.js';
import { audienceInText } from './audience-fit.js';
import { equalWeights, type ResolvedSegment, resolveAudience } from './segments.js';

type Query = Input<'creators_search'>;

export type InForce = { audience: Audience; named: string | null };

const named = (audience: readonly ResolvedSegment[]): InForce => ({
  audience,
  named: audienceInText(audience.map(({ label }) => label)),
});

const matchIds = (match: string): string[] => match.split(',').map((id) => id.trim());

/** `match` with equal weights, else `segment` alone, else the audience on file, else none. */
export const audienceInForce = (query: Pick<Query, 'match' | 'segment'>, onFile: Audience): InForce | null => {
  if (query.match !== undefined) return named(equalWeights(matchIds(query.match)));
  if (query.segment !== undefined) return named(equalWeights([query.segment]));
  return onFile.length > 0 ? { audience: onFile, named: null } : null;
};

/** A campaign whose text names no segment has no score, as its plan's lines have none. */
export const audienceOfRead = (
  query: Pick<Query, 'match'>,
  campaign: { audience: string | null } | null,
  onFile: Audience,
): InForce | null => {
  if (query.match !== undefined || campaign === null) return audienceInForce(query, onFile);
  const { segments, unresolved } = resolveAudience(campaign.audience ?? '');
  return unresolved ? null : named(segments);
};

export const needsAudienceOnFile = (query: Query): boolean => query.match === undefined && query.segment === undefined;

const NAMING = [
  'q',
  'reach_band',
  'country',
  'language',
  'followers_min',
  'followers_max',
  'er_min',
  'format',
  'price_min',
  'price_max',
] as const satisfies readonly (keyof Query)[];

/** Raises bad_request for `fit` without an audience, and filter_required for a list that names nothing. */
export const mustNameSomething = (query: Query, audience: InForce | null): void => {
  if (audience !== null) return;
  if (query.fit === true) {
    throw badRequest([
      { field: 'fit', message: 'needs an audience: send match or segment, or put an audience on file' },
    ]);
  }
  if (NAMING.every((name) => query[name] === undefined)) {
    throw new AppError(
      'filter_required',
      'This list names nothing and no audience is on file. Send match, segment, q or a filter, or put an audience on file.',
      { problems: [{ field: 'query', message: `must name match, segment or one of ${NAMING.join(', ')}` }] },
    );
  }
};

const FILTERS = [
  ...NAMING,
  'on_sale',
  'match_min',
  'fit',
  'match',
  'segment',
] as const satisfies readonly (keyof Query)[];

/** `fit: false` filters nothing, so it never explains an empty page. */
export const emptyNote = (query: Query, total: number, audience: InForce | null): string => {
  if (total > 0)
    return `offset is past the end of the list, which has ${total.toLocaleString('en-US')} creators. Start from 0.`;
  const sent = FILTERS.filter((name) => query[name] !== undefined && !(name === 'fit' && query.fit === false));
  if (sent.length === 0) return 'No approved creator reaches the audience on file. Send match to try another.';
  const filters =
    sent.length === 1
      ? `No approved creator passes ${sent[0]}. Leave it out or widen it.`
      : `No approved creator passes ${sent.join(', ')} together. Leave out or widen the narrowest of them.`;
  return `${filters}${limitedTo(audience)}`;
};

const limitedTo = (audience: InForce | null): string => {
  if (audience === null) return '';
  return audience.named === null
    ? ' Only creators who reach the audience on file are listed. Send match or segment for another audience.'
    : ` Only creators who reach ${audience.named} are listed.`;
};
