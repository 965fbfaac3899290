import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AuditRow, entryOf } from './audit.js';
import { hashOf, NO_PREVIOUS } from './entry.js';
import type { Head } from './heads.js';
import { link } from './link.js';

const row = (index: number, ws: string, over: Partial<AuditRow> = {}): AuditRow => ({
  _id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
  ws,
  actor: 'key:k',
  action: 'campaign.create',
  object: `campaign-${index}`,
  payload_hash: 'a'.repeat(64),
  at: new Date(Date.UTC(2026, 10, 21) + index),
  format: 1,
  sealed: false,
  ...over,
});
const ALL: Head = { _id: '*', seq: 0, hash: '' };

const rows = fc
  .array(fc.constantFrom('', 'ws-1', 'ws-2'), { minLength: 1, maxLength: 40 })
  .map((workspaces) => workspaces.map((ws, index) => row(index, ws)));

/** Appending to a chain (docs/reliability.md#audit). */
describe('link', () => {
  it('hashes an entry the same way as the documented example', () => {
    const entry = entryOf('billing', row(1, 'ws-1', { reason: 'A refund was asked for.' }), 1, NO_PREVIOUS);
    expect(hashOf(entry)).toBe('de3e1f73b9763020b1d4785d436f8b736ec1c1d91ebee7f135074bf0d5da6fa1');
  });

  it('gives each workspace a dense chain in which every entry names the hash of the one before', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const { sealed } = link('billing', all, new Map(), ALL);
        for (const ws of ['', 'ws-1', 'ws-2']) {
          let prev = NO_PREVIOUS;
          for (const [index, one] of sealed.filter((entry) => entry.ws === ws).entries()) {
            expect([one.seq, one.prev]).toEqual([index + 1, prev]);
            expect(one.hash).toBe(hashOf(entryOf('billing', one, one.seq, one.prev)));
            prev = one.hash;
          }
        }
        expect(sealed.map(({ place }) => place)).toEqual(all.map((_row, index) => index + 1));
      }),
    );
  });

  it('makes the same chains whatever the batches are', () => {
    fc.assert(
      fc.property(rows, fc.nat(40), (all, cut) => {
        const whole = link('billing', all, new Map(), ALL);
        const first = link('billing', all.slice(0, cut), new Map(), ALL);
        const heads = new Map(first.moves.map(({ after }) => [after._id, after]));
        const second = link('billing', all.slice(cut), heads, heads.get('*') ?? ALL);
        expect([...first.sealed, ...second.sealed]).toEqual(whole.sealed);
      }),
    );
  });

  it('changes the hash of every later entry of the workspace when one field of an entry changes', () => {
    const fields: Partial<AuditRow>[] = [
      { _id: '00000000-0000-7000-8000-999999999999' },
      { actor: 'key:other' },
      { action: 'campaign.delete' },
      { object: 'campaign-9' },
      { reason: '' },
      { payload_hash: 'b'.repeat(64) },
      { at: new Date(0) },
    ];
    const base = [row(0, 'ws-1'), row(1, 'ws-1'), row(2, 'ws-2'), row(3, 'ws-1')];
    const before = link('billing', base, new Map(), ALL).sealed;
    for (const field of fields) {
      const changed = base.map((one, index) => (index === 1 ? { ...one, ...field } : one));
      const after = link('billing', changed, new Map(), ALL).sealed;
      expect(after.map(({ hash }, index) => hash === before[index]?.hash)).toEqual([true, false, true, false]);
    }
    expect(link('catalog', base, new Map(), ALL).sealed[0]?.hash).not.toBe(before[0]?.hash);
  });
});
