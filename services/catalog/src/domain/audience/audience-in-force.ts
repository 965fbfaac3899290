/**
 * The audience that filters, scores and ranks a list, and when a list needs a filter (docs/domain/network.md#lists).
 */
import { AppError, type Input } from '@cds/contracts';
import type { Audience } from '../matching/score.js';
import { equalWeights } from './segments.js';

type Query = Input<'creators_search'>;

/** The ids of `match`, trimmed, in the order given. */
const matchIds = (match: string): string[] => match.split(',').map((id) => id.trim());

/** `match` with equal weights, else `segment` alone, else the audience on file, else none. */
export const audienceInForce = (query: Query, onFile: Audience): Audience | null => {
  if (query.match !== undefined) return equalWeights(matchIds(query.match));
  if (query.segment !== undefined) return equalWeights([query.segment]);
  return onFile.length > 0 ? onFile : null;
};

/** Whether the audience on file matters: only if the request names none. */
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

/**
 * Raises bad_request for `fit` without an audience, and filter_required for a list with neither an audience nor a
 * filter.
 */
export const mustNameSomething = (query: Query, audience: Audience | null): void => {
  if (audience !== null) return;
  if (query.fit === true) {
    throw new AppError('bad_request', 'A query parameter is not valid. See details.problems.', {
      problems: [{ field: 'fit', message: 'needs an audience: send match or segment, or put an audience on file' }],
    });
  }
  if (NAMING.every((name) => query[name] === undefined)) {
    throw new AppError(
      'filter_required',
      'This list names nothing and no audience is on file. Send match, segment, q or a filter, or put an audience on file.',
      { problems: [{ field: 'query', message: `must name match, segment or one of ${NAMING.join(', ')}` }] },
    );
  }
};
