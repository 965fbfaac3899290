import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anEntry } from '../test/books.js';
import { LEDGER_KINDS, type LedgerEntry, type LedgerKind, ledgerSum, stateOf } from './order-state.js';

const entry = (kind: LedgerKind, cents = 0): LedgerEntry => anEntry(kind, '', cents);
const charge = entry('charge', 100);

describe("an order's state is a pure function of its ledger (docs/domain/orders.md#ledger, I23)", () => {
  it.each([
    ['nothing', [], 'unpaid'],
    ['signed', [entry('signed')], 'unpaid'],
    ['pending', [entry('signed'), entry('pending')], 'processing'],
    ['pending that failed', [entry('pending'), entry('failed')], 'unpaid'],
    ['failed, then pending again', [entry('pending'), entry('failed'), entry('pending')], 'processing'],
    ['pending, whatever else follows', [entry('pending'), entry('signed')], 'processing'],
    ['a charge', [charge], 'paid'],
    ['a charge after a failure', [entry('pending'), entry('failed'), charge], 'paid'],
    ['a failure that arrives after the charge', [charge, entry('failed')], 'paid'],
    ['a part refunded', [charge, entry('refund', -40)], 'partially_refunded'],
    ['all refunded in parts', [charge, entry('refund', -40), entry('refund', -60)], 'refunded'],
    ['cancelled unpaid', [entry('cancel'), entry('give_back', 100)], 'cancelled'],
    ['cancelled after payment', [charge, entry('cancel')], 'cancelled'],
    ['cancelled after payment, a part refunded', [charge, entry('cancel'), entry('refund', -40)], 'cancelled'],
    ['cancelled after payment, all refunded', [charge, entry('cancel'), entry('refund', -100)], 'refunded'],
    ['stray money for a cancelled order', [entry('cancel'), entry('stray_charge', 100)], 'cancelled'],
    ['stray money returned', [charge, entry('stray_charge', 100), entry('stray_refund', -100)], 'paid'],
  ] as const)('%s', (_name, entries, state) => {
    expect(stateOf([...entries])).toBe(state);
  });

  it('sums money received minus money returned, whatever the other entries', () => {
    expect(
      ledgerSum([
        entry('signed', 7),
        charge,
        entry('give_back', 100),
        entry('stray_charge', 100),
        entry('refund', -40),
        entry('stray_refund', -30),
      ]),
    ).toBe(130);
  });

  it('never goes from paid back to unpaid or processing, whatever entry follows (I21)', () => {
    const any = fc.array(
      fc.record({ kind: fc.constantFrom(...LEDGER_KINDS), cents: fc.integer({ min: 1, max: 100 }) }),
    );
    fc.assert(
      fc.property(any, any, (before, after) => {
        const of = (ones: typeof before) =>
          ones.map((one) => entry(one.kind, one.kind.endsWith('refund') ? -one.cents : one.cents));
        expect(['unpaid', 'processing']).not.toContain(stateOf([...of(before), charge, ...of(after)]));
      }),
    );
  });
});
