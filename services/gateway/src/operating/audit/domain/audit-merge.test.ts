import { type ListedEntry, SERVICES, type ServiceName } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { auditCursor, auditPlacesIn } from './audit-cursor.js';
import { type AuditPlaces, FROM_THE_NEWEST, mergeAudit } from './audit-merge.js';

const entry = (service: ServiceName, place: number, second: number): ListedEntry => ({
  format: 1,
  service,
  workspace: 'w',
  seq: place,
  prev: '',
  id: `${service}-${place}`,
  at: new Date(Date.UTC(2026, 10, 21, 0, 0, second)).toISOString(),
  actor: 'system',
  action: 'act',
  object: 'object',
  reason_hash: null,
  payload_hash: '',
  hash: '',
  place,
  reason: null,
});

/** Chains of some services; times need not rise with the places, because an entry may be sealed late. */
const chains = fc
  .array(fc.tuple(fc.constantFrom(...SERVICES), fc.integer({ min: 0, max: 20 })), { maxLength: 40 })
  .map((made) => {
    const of = new Map<ServiceName, ListedEntry[]>(SERVICES.map((service) => [service, []]));
    for (const [service, second] of made) {
      const chain = of.get(service) ?? [];
      chain.push(entry(service, chain.length + 1, second));
    }
    return of;
  });
type Chains = Map<ServiceName, ListedEntry[]>;

const pageOf = (all: Chains, from: AuditPlaces, limit: number) => {
  const lists = SERVICES.map((service): [ServiceName, ListedEntry[]] => {
    const before = from[service] ?? Number.POSITIVE_INFINITY;
    const older = (all.get(service) ?? []).filter(({ place }) => place < before);
    return [service, older.reverse().slice(0, limit + 1)];
  });
  return mergeAudit(new Map(lists), from, limit);
};
const ids = (entries: readonly ListedEntry[]) => entries.map(({ id }) => id);

/** Pages of a merged audit (docs/domain/operators.md#audit). */
describe('mergeAudit', () => {
  it('shows every entry once, in the same order whatever the pages are, while others are sealed', () => {
    fc.assert(
      fc.property(chains, fc.integer({ min: 1, max: 7 }), fc.boolean(), (all, limit, grows) => {
        const whole = ids(pageOf(all, FROM_THE_NEWEST, 1_000).page);
        expect(whole).toHaveLength([...all.values()].flat().length);
        const seen: string[] = [];
        let from: AuditPlaces | null = FROM_THE_NEWEST;
        while (from !== null) {
          const { page, next } = pageOf(all, from, limit);
          seen.push(...ids(page));
          from = next === null ? null : auditPlacesIn('chain', auditCursor('chain', next));
          const growing = all.get('billing') ?? [];
          if (grows) growing.push(entry('billing', growing.length + 1, seen.length % 20));
        }
        expect(seen).toEqual(whole);
      }),
    );
  });

  it('keeps the order of each service, and shows the latest first otherwise', () => {
    const all: Chains = new Map([
      ['planning', [entry('planning', 1, 5), entry('planning', 2, 1)]],
      ['billing', [entry('billing', 1, 3), entry('billing', 2, 5)]],
    ]);
    expect(ids(pageOf(all, FROM_THE_NEWEST, 10).page)).toEqual(['billing-2', 'billing-1', 'planning-2', 'planning-1']);
  });

  it('keeps the place of a service that was not asked', () => {
    const list = [entry('billing', 2, 5), entry('billing', 1, 3)];
    const { next } = mergeAudit(new Map([['billing', list]]), FROM_THE_NEWEST, 1);
    expect(next).toEqual({ ...FROM_THE_NEWEST, billing: 2 });
  });
});

describe('the cursor of an audit', () => {
  it.each([
    '',
    'chain',
    'all.1.2.3.4.5.6',
    'chain.1.2.3.4.5',
    'chain.1.2.3.4.5.6.7',
    'chain.1.2.3.4.5.x',
    'chain.1.2.3.4.5.-1',
    'chain.1.2.3.4.5.1e3',
    'chain.1.2.3.4.5.',
    'chain.1.2.3.4.5.1234567890123456',
  ])('is none when it reads %j', (text) => {
    expect(auditPlacesIn('chain', text)).toBeNull();
  });
});
