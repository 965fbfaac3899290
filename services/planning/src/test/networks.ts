import type { AudienceWeights, Candidate } from '@cds/contracts';
import fc from 'fast-check';
import type { Brief } from '../domain/builder/build.js';

/** An audience of three segments, the strongest first. */
export const AUDIENCE: AudienceWeights = [
  { id: 'startup-founders', label: 'Startup founders', weight: 0.5 },
  { id: 'investors', label: 'Venture investors', weight: 0.3 },
  { id: 'marketing', label: 'Marketing', weight: 0.2 },
];

const bandOf = (followers: number): string =>
  followers < 10_000 ? 'nano' : followers < 50_000 ? 'micro' : followers < 500_000 ? 'mid' : 'macro';

const unitOf = (id: string, format: 'post' | 'quote' | 'thread', cents: number, views: number) => ({
  unit_id: `${id}-${format}`,
  format,
  deliverable: 'One post',
  price_cents: Math.max(500, Math.ceil(cents / 500) * 500),
  expected_views: Math.max(1, Math.round(views)),
  views_low: 1,
  views_high: 2,
});

/**
 * A candidate by the rules of the synthetic network (docs/domain/network.md#generated-network): followers, views and
 * prices are log-normal.
 */
const drawnCandidate: fc.Arbitrary<Candidate> = fc
  .record({
    id: fc.uuid(),
    followers: fc.double({ min: 7.5, max: 13.5, noNaN: true }).map(Math.exp),
    rate: fc.double({ min: -3.2, max: -1, noNaN: true }).map(Math.exp),
    centsPer1000: fc.double({ min: 7.4, max: 9, noNaN: true }).map(Math.exp),
    weights: fc.tuple(...AUDIENCE.map(() => fc.constantFrom(0, 0, 0.15, 0.3, 0.6))),
    match_score: fc.integer({ min: 10, max: 95 }),
    posts_per_week: fc.constantFrom(1, 2.9, 3, 12),
    views_source: fc.constantFrom('network', 'creator'),
    quote: fc.boolean(),
    thread: fc.boolean(),
  })
  .map(({ id, followers, rate, centsPer1000, weights, quote, thread, ...rest }) => {
    const views = followers * rate * 0.85;
    const cents = (views * centsPer1000) / 1000;
    return {
      creator_id: id,
      name: null,
      avatar_url: null,
      followers: Math.round(followers),
      reach_band: bandOf(followers),
      country: null,
      vetting: null,
      engagement_rate: null,
      match_label: null,
      weights: weights.every((weight) => weight === 0) ? [0.3, 0, 0] : weights,
      units: [
        unitOf(id, 'post', cents, views),
        ...(quote ? [unitOf(id, 'quote', cents * 0.6, views * 0.8)] : []),
        ...(thread ? [unitOf(id, 'thread', cents * 1.5, views * 1.1)] : []),
      ],
      ...rest,
    };
  });

/** Networks of distinct candidates. */
export const networks = (size: { minLength: number; maxLength: number }): fc.Arbitrary<Candidate[]> =>
  fc.uniqueArray(drawnCandidate, { ...size, selector: (candidate) => candidate.creator_id });

/** What a plan may be built for. */
export const briefs: fc.Arbitrary<Brief> = fc
  .record({
    goal: fc.constantFrom('launch', 'funding', 'feature', 'program'),
    audience: fc.constantFrom(AUDIENCE, AUDIENCE.slice(0, 1), []),
    capCents: fc
      .double({ min: Math.log(5_000), max: Math.log(2_000_000), noNaN: true })
      .map((log) => Math.round(Math.exp(log))),
    twoDays: fc.boolean(),
  })
  .map(({ twoDays, ...brief }) => ({ ...brief, postTwice: twoDays && brief.goal === 'program' }));
