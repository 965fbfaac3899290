import { MandateInput, SCOPES, type Scope } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type ChildInput,
  childMandate,
  childProblems,
  type KeyPowers,
  mandateUnder,
  type ParentBounds,
  underParent,
} from './child-key.js';
import type { StoredMandate } from './mandate.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const times = { now: NOW, networkNow: NOW };
const instant = (text: string) => new Date(text);
const aMandate = (over: Partial<StoredMandate> = {}): StoredMandate => ({
  version: 4,
  max_plan_cents: 1_000,
  monthly_cap_cents: 5_000,
  channels: ['x_creators', 'reddit'],
  may_approve: true,
  expires_at: instant('2027-03-01T00:00:00.000Z'),
  updated_at: NOW,
  terms_version: '2026-11-01',
  terms_accepted_at: NOW,
  terms_accepted_email: 'owner@acme.example',
  ...over,
});
const parent = (over: Partial<ParentBounds> = {}): ParentBounds => ({
  scopes: ['campaigns:read', 'campaigns:write', 'plans:approve'],
  mandate: aMandate(),
  expires_at: instant('2027-06-01T00:00:00.000Z'),
  ...over,
});
const asked = (over: Partial<MandateInput> = {}): MandateInput => ({
  max_plan_cents: 1_000,
  monthly_cap_cents: 5_000,
  channels: ['reddit', 'x_creators'],
  may_approve: true,
  expires_at: '2027-03-01T00:00:00.000Z',
  ...over,
});
const child = (over: Partial<ChildInput> = {}): ChildInput => ({
  scopes: ['campaigns:read', 'plans:approve'],
  mandate: asked(),
  expires_at: '2027-06-01T00:00:00.000Z',
  ...over,
});

describe('a child key that is as wide as its parent in everything', () => {
  it('can be made', () => {
    expect(childProblems(parent(), child({ scopes: [...parent().scopes] }), times)).toEqual([]);
  });

  it.each<[string, Partial<ChildInput>, string, string[]]>([
    ['a scope', { scopes: ['results:read', 'plans:approve'] }, 'scopes', ['results:read', 'campaigns:read']],
    [
      'a millisecond of its end',
      { expires_at: '2027-06-01T00:00:00.001Z' },
      'expires_at',
      ['2027-06-01T00:00:00.001Z', '2027-06-01T00:00:00.000Z'],
    ],
    ['an end that has come', { expires_at: NOW.toISOString() }, 'expires_at', [NOW.toISOString(), 'after now']],
    ['a cent of a plan', { mandate: asked({ max_plan_cents: 1_001 }) }, 'mandate.max_plan_cents', ['1001', '1000']],
    [
      'a cent of a month',
      { mandate: asked({ monthly_cap_cents: 5_001 }) },
      'mandate.monthly_cap_cents',
      ['5001', '5000'],
    ],
    ['a channel', { mandate: asked({ channels: ['podcast'] }) }, 'mandate.channels', ['podcast', 'x_creators, reddit']],
    [
      'a millisecond of its mandate',
      { mandate: asked({ expires_at: '2027-03-01T00:00:00.001Z' }) },
      'mandate.expires_at',
      ['2027-03-01T00:00:00.001Z', '2027-03-01T00:00:00.000Z'],
    ],
    ['approval without the scope', { scopes: ['campaigns:read'] }, 'mandate.may_approve', ['plans:approve']],
  ])('is refused %s more, by field, value and bound', (_name, over, field, words) => {
    const problems = childProblems(parent(), child(over), times);
    expect(problems.map((problem) => problem.field)).toEqual([field]);
    for (const word of words) expect(problems[0]?.message).toContain(word);
  });

  it.each<[string, Partial<ParentBounds>, Partial<ChildInput>, string[]]>([
    ['its parent may not approve', { mandate: aMandate({ may_approve: false }) }, {}, ['mandate.may_approve']],
    ['its parent has no mandate', { mandate: null }, {}, ['mandate']],
    ['its parent has none and it asks for none', { mandate: null }, { mandate: undefined }, []],
    [
      'its parent never ends and it ends in 366 days',
      { expires_at: null },
      { expires_at: '2027-11-22T12:00:00.000Z' },
      [],
    ],
    [
      'its parent never ends and it ends later',
      { expires_at: null },
      { expires_at: '2027-11-22T12:00:00.001Z' },
      ['expires_at'],
    ],
  ])('when %s, is refused these fields', (_name, over, input, fields) => {
    expect(childProblems(parent(over), child(input), times).map(({ field }) => field)).toEqual(fields);
  });
});

const CHANNELS = ['x_creators', 'reddit', 'podcast'];
const someScopes = fc.subarray([...SCOPES]).map((scopes): Scope[] => scopes);
const someTime = fc.integer({ min: -3, max: 3 }).map((days) => new Date(NOW.getTime() + days * 86_400_000));
const someMandate = fc.option(
  fc.record({
    version: fc.integer({ min: 1, max: 9 }),
    max_plan_cents: fc.integer({ min: 1, max: 9 }),
    monthly_cap_cents: fc.integer({ min: 1, max: 9 }),
    channels: fc.subarray(CHANNELS),
    may_approve: fc.boolean(),
    expires_at: someTime,
    updated_at: someTime,
    terms_version: fc.constantFrom(null, '2026-01-01', '2026-11-01'),
    terms_accepted_at: fc.constant(null),
    terms_accepted_email: fc.constant(null),
  }),
);
const somePowers: fc.Arbitrary<KeyPowers> = fc.record({
  scopes: someScopes,
  mandate: someMandate,
  suspended: fc.boolean(),
  offset_ms: fc.nat(9),
});

/** Whether whoever has the first mandate may do nothing that the second forbids. */
const isWithin = (one: StoredMandate | null, other: StoredMandate | null): boolean =>
  one === null ||
  (other !== null &&
    one.max_plan_cents <= other.max_plan_cents &&
    one.monthly_cap_cents <= other.monthly_cap_cents &&
    one.channels.every((channel) => other.channels.includes(channel)) &&
    (!one.may_approve || other.may_approve) &&
    one.expires_at <= other.expires_at);

describe('what a child may do under its parent (docs/domain/access.md#child-keys)', () => {
  it('is never more than its parent may, nor more than the child itself, whatever either has by now', () => {
    fc.assert(
      fc.property(somePowers, somePowers, (own, parents) => {
        const effective = underParent(own, parents);
        expect(effective.scopes.every((scope) => own.scopes.includes(scope) && parents.scopes.includes(scope))).toBe(
          true,
        );
        expect(isWithin(effective.mandate, parents.mandate)).toBe(true);
        expect(isWithin(effective.mandate, own.mandate)).toBe(true);
        const signs = effective.mandate?.may_approve === true;
        expect(effective.mandate?.terms_version ?? null).toBe(signs ? (parents.mandate?.terms_version ?? null) : null);
        expect(effective.suspended).toBe(own.suspended || parents.suspended);
      }),
    );
  });

  it('is all that both allow: a child that asked for no more than its parent has gets what it asked for', () => {
    fc.assert(
      fc.property(somePowers, somePowers, (own, parents) => {
        fc.pre(isWithin(own.mandate, parents.mandate));
        const { mandate } = underParent(own, parents);
        expect(mandate === null ? null : { ...mandate, terms_version: null, updated_at: NOW }).toEqual(
          own.mandate === null ? null : { ...own.mandate, terms_version: null, updated_at: NOW },
        );
      }),
    );
  });

  it('a child that can be made asks for nothing that its parent does not have, and every other is refused', () => {
    const bounds = fc.record({ scopes: someScopes, mandate: someMandate, expires_at: fc.option(someTime) });
    const input = fc.record({ scopes: someScopes, mandate: someMandate, expires_at: someTime });
    fc.assert(
      fc.property(bounds, input, (parents, wanted) => {
        const mandate =
          wanted.mandate === null
            ? undefined
            : MandateInput.parse({
                max_plan_cents: wanted.mandate.max_plan_cents,
                monthly_cap_cents: wanted.mandate.monthly_cap_cents,
                channels: wanted.mandate.channels.length === 0 ? ['x_creators'] : wanted.mandate.channels,
                may_approve: wanted.mandate.may_approve,
                expires_at: wanted.mandate.expires_at.toISOString(),
              });
        const request = { scopes: wanted.scopes, mandate, expires_at: wanted.expires_at.toISOString() };
        const stored = mandate === undefined ? null : childMandate(mandate, NOW);
        const fits =
          wanted.scopes.every((scope) => parents.scopes.includes(scope)) &&
          wanted.expires_at > NOW &&
          (parents.expires_at === null || wanted.expires_at <= parents.expires_at) &&
          isWithin(stored, parents.mandate) &&
          (stored === null || stored.expires_at > NOW) &&
          (stored === null || !stored.may_approve || wanted.scopes.includes('plans:approve'));
        expect(childProblems(parents, request, times).length === 0).toBe(fits);
        if (fits && stored !== null)
          expect(mandateUnder(stored, parents.mandate)).toMatchObject({
            max_plan_cents: stored.max_plan_cents,
            monthly_cap_cents: stored.monthly_cap_cents,
            channels: stored.channels,
          });
      }),
      { numRuns: 1_000 },
    );
  });
});
