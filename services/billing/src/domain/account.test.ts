import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { accountOf, capsOf, countersOf } from './account.js';

const PARENT = { key: 'parent', monthly_cap_cents: 80_000, mandate_version: 1 };
const MANDATE = aMandate({ monthly_cap_cents: 60_000 });

/** docs/reliability.md#authority. */
describe('what a key signs counts', () => {
  it('for itself alone, against its own cap', () => {
    const account = accountOf({ key: 'key' });
    expect(account).toEqual({ document: 'key', child: null });
    expect(capsOf({ mandate: MANDATE })).toEqual({ document: 60_000, child: null });
    expect(countersOf(account, '2026-11')).toEqual(['months.2026-11.held']);
  });

  it('for its parent and for itself, against both caps', () => {
    const account = accountOf({ key: 'child', parent: PARENT });
    expect(account).toEqual({ document: 'parent', child: 'child' });
    expect(capsOf({ mandate: MANDATE, parent: PARENT })).toEqual({ document: 80_000, child: 60_000 });
    expect(countersOf(account, '2026-11')).toEqual(['months.2026-11.held', 'months.2026-11.children.child.held']);
  });

  it('against a cap of 0 without a mandate', () => {
    expect(capsOf({ mandate: null })).toEqual({ document: 0, child: null });
    expect(capsOf({ mandate: null, parent: PARENT })).toEqual({ document: 80_000, child: 0 });
  });
});
