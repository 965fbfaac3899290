import { createHash } from 'node:crypto';
import type { Format, QuotePart } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { quotePart } from '../../present/quote-part.js';
import { Revealed } from '../../present/revealed.js';
import { aCampaign, aLine, aPlan, aUnit } from '../../test/builders.js';
import type { Line } from '../plan.js';
import { type Terms, termsFingerprint, withFingerprint } from './fingerprint.js';

const PRINTED: Terms = {
  currency: 'USD',
  launch_window_start: '2027-03-10',
  launch_window_end: '2027-03-31',
  lines: [
    {
      id: '0b6f1c1e-5a52-4d0e-9b1a-2f6f0a7c1d01',
      channel: 'x_creators',
      format: 'quote',
      unit_id: '7d1f9a52-0c1b-4f0e-8a77-6a1f3f0b2c11',
      scheduled_date: '2027-03-12',
      price_cents: 45_000,
    },
    {
      id: 'c2a4e8d0-3b7f-4c55-8f21-91d0e4b7a602',
      channel: 'x_creators',
      format: 'post',
      unit_id: 'e94b27c3-8d16-4a3a-b0f5-1c7e5d2a9b34',
      scheduled_date: '2027-03-14',
      price_cents: 62_500,
    },
  ],
};

const aDay = fc.integer({ min: 1, max: 28 }).map((day) => `2027-03-${String(day).padStart(2, '0')}`);
const someTerms = fc.record({
  currency: fc.constant('USD'),
  launch_window_start: aDay,
  launch_window_end: aDay,
  lines: fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      channel: fc.constantFrom('x_creators', 'reddit'),
      format: fc.constantFrom('post', 'quote', 'thread', null),
      unit_id: fc.option(fc.uuid()),
      scheduled_date: aDay,
      price_cents: fc.integer({ min: 0, max: 10_000_000 }),
    }),
    { selector: (line) => line.id, maxLength: 6 },
  ),
});

describe('the terms fingerprint (docs/domain/plans.md#terms-fingerprint; I16)', () => {
  it('of the printed terms is the printed value', () => {
    expect(termsFingerprint(PRINTED)).toBe('YyxOYh96WOu_Nb-7MBcXwHpKIYtkDu1ZSsMDc6zJXg0');
  });

  it('does not depend on the order of the lines, nor on fields outside the terms (property 5)', () => {
    proves('quote.fingerprint-moves');
    fc.assert(
      fc.property(someTerms, (terms) => {
        const other = {
          ...terms,
          name: 'x',
          lines: [...terms.lines].reverse().map((line) => ({ ...line, reason: 'y' })),
        };
        expect(termsFingerprint(other)).toBe(termsFingerprint(terms));
      }),
    );
  });

  it('is what a client computes from the quote it reads (property 5)', () => {
    /** RFC 8785 for what a quote holds: keys in order, no space. */
    const canonical = (value: unknown): string =>
      Array.isArray(value)
        ? `[${value.map(canonical).join(',')}]`
        : typeof value === 'object' && value !== null
          ? `{${Object.entries(value)
              .sort(([one], [other]) => (one < other ? -1 : 1))
              .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
              .join(',')}}`
          : JSON.stringify(value);
    const ofClient = (quote: QuotePart): string => {
      const { currency, launch_window_start, launch_window_end } = quote;
      const lines = quote.lines
        .map(({ channel, format, id, price_cents, scheduled_date, unit_id }) => ({
          channel,
          format,
          id,
          price_cents,
          scheduled_date,
          unit_id,
        }))
        .sort((one, other) => (one.id < other.id ? -1 : 1));
      const terms = canonical({ v: 1, currency, launch_window_start, launch_window_end, lines });
      return createHash('sha256').update(terms).digest('base64url');
    };
    fc.assert(
      fc.property(someTerms, (terms) => {
        const campaign = aCampaign();
        const plan = withFingerprint({
          ...aPlan(campaign, []),
          launch_window_start: terms.launch_window_start,
          launch_window_end: terms.launch_window_end,
          lines: terms.lines.map(
            (line): Line => ({ ...aLine(aUnit()), ...line, format: line.format as Format | null }),
          ),
        });
        const quote = quotePart({
          plan,
          campaign,
          units: new Map(),
          lines: new Map(),
          revealed: Revealed.nothing,
          policy: { allowed: true, refusal: null },
          today: '2026-11-21',
          now: new Date('2026-11-21T12:00:00Z'),
        });
        const read = JSON.parse(JSON.stringify(quote)) as QuotePart;
        expect(ofClient(read)).toBe(read.terms_fingerprint);
      }),
    );
  });

  it('differs as soon as a line, a price or a date differs (property 5)', () => {
    proves('quote.fingerprint-moves');
    fc.assert(
      fc.property(someTerms, someTerms, (one, other) => {
        const sorted = (terms: Terms) => [...terms.lines].sort((a, b) => (a.id < b.id ? -1 : 1));
        const same =
          JSON.stringify({ ...one, lines: sorted(one) }) === JSON.stringify({ ...other, lines: sorted(other) });
        expect(termsFingerprint(one) === termsFingerprint(other)).toBe(same);
      }),
    );
    const [first, ...rest] = PRINTED.lines;
    if (first === undefined) throw new Error('the printed terms have lines');
    for (const changed of [
      { price_cents: 45_001 },
      { scheduled_date: '2027-03-13' },
      { unit_id: null },
      { format: 'post' },
      { channel: 'reddit' },
    ])
      expect(termsFingerprint({ ...PRINTED, lines: [{ ...first, ...changed }, ...rest] })).not.toBe(
        termsFingerprint(PRINTED),
      );
    expect(termsFingerprint({ ...PRINTED, launch_window_end: '2027-04-01' })).not.toBe(termsFingerprint(PRINTED));
  });
});
