import { describe, expect, it } from '@jest/globals';
import { aCreator, aUnit } from '../../test/builders.js';
import { takeCreator } from '../import/import-creator.js';
import type { Creator } from './creator.js';
import { erased, gainedRow, goneBecause, isOfNetwork, merged } from './leaving.js';

const AT = new Date('2026-11-21T12:00:00.000Z');
const SOURCE = { asOf: AT, recordedAt: AT, viewsSource: 'network', setBy: 'test' } as const;

const held = (over: Parameters<typeof aCreator>[0] & { merged_into?: string; chore?: Creator['chore'] }): Creator => {
  const { merged_into, chore, ...facts } = over;
  const { creator } = takeCreator({ ...aCreator(facts), generated: null }, null, SOURCE, () => crypto.randomUUID());
  return {
    ...creator,
    network_version: 1,
    ...(merged_into === undefined ? {} : { merged_into }),
    ...(chore === undefined ? {} : { chore }),
  };
};
const newId = () => 'new-id';

describe('what remains of an erased creator', () => {
  // No letters that an id could have.
  const ruth = held({ network_id: '1', name: 'Ruth', bio: 'Builds', units: [{ ...aUnit(), label: 'Ruth’s post' }] });
  const after = { ...ruth, ...erased(ruth, AT) };

  it('contains nothing it said and nothing said about it', () => {
    expect(JSON.stringify({ ...after, chore: null })).not.toMatch(/ruth|builds|startup/i);
    expect(after).toMatchObject({
      active: false,
      weights: [],
      posts: [],
      erased_at: AT,
      network_id: `erased:${ruth._id}`,
    });
  });

  it('keeps ids and prices, with default unit texts', () => {
    expect(after.units).toEqual([
      { ...ruth.units[0], label: 'Post', deliverable: expect.stringMatching(/^One post,/) },
    ]);
  });

  it('includes the chore of forgetting its network id, if it had one', () => {
    expect(after.chore).toEqual({ kind: 'erase', network_id: '1' });
    expect(erased(held({ network_id: '' }), AT).chore).toEqual({ kind: 'erase', network_id: null });
  });

  it('can no longer be changed', () => {
    expect(goneBecause(after)).toBe('The creator was erased.');
    expect(goneBecause(ruth)).toBeNull();
  });
});

describe('a merge', () => {
  const known = held({ network_id: '1', units: [aUnit({ usd: 200 })] });
  const byHandle = held({ network_id: '', units: [aUnit(), aUnit({ format: 'quote', usd: 50 })] });

  it('gives a survivor without a network id the duplicate’s id and handle', () => {
    expect(merged(known, byHandle, [], newId)).toMatchObject({
      from: {
        active: false,
        merged_into: byHandle._id,
        network_id: `merged:${known._id}`,
        chore: { kind: 'merge', into: byHandle._id, takes_identity: true },
      },
      into: { network_id: '1' },
    });
  });

  it('keeps the survivor’s own network id', () => {
    const merge = merged(byHandle, known, [], newId);
    expect(merge).toMatchObject({ from: { chore: { takes_identity: false } } });
    expect(merge).not.toHaveProperty('into.network_id');
  });

  it('adds the formats that the survivor lacks, as units of its own', () => {
    const merge = merged(byHandle, known, [], newId);
    if ('illegal' in merge) throw new Error(merge.illegal);
    expect(merge.into.units?.map(({ unit_id, format, price }) => [unit_id, format, price?.price_cents])).toEqual([
      [known.units[0]?.unit_id, 'post', 20_000],
      ['new-id', 'quote', 5_000],
    ]);
    expect(merge.gained).toMatchObject([{ unit: { unit_id: 'new-id' }, of: { unit_id: byHandle.units[1]?.unit_id } }]);
    expect(merge).not.toHaveProperty('from.units');
  });

  it('points creators merged earlier to the survivor', () => {
    const chore = { kind: 'merge', into: known._id, takes_identity: true } as const;
    const earlier = held({ network_id: '', merged_into: known._id, chore });
    const merge = merged(known, byHandle, [earlier], newId);
    if ('illegal' in merge) throw new Error(merge.illegal);
    expect(merge.from.chore).toMatchObject({ takes_identity: false });
    expect(merge.earlier(earlier)).toEqual({ merged_into: byHandle._id, chore: { ...chore, into: byHandle._id } });
    expect(merge.earlier(held({ network_id: '' }))).toEqual({ merged_into: byHandle._id });
  });

  it.each<[string, Creator, Creator]>([
    ['a creator and itself', known, known],
    ['two accounts of the network', known, held({ network_id: '2' })],
    ['one into a merged one', byHandle, held({ network_id: '3', merged_into: 'other' })],
    ['one into an erased one', byHandle, { ...known, _id: 'gone', erased_at: AT }],
  ])('of %s is refused', (_name, from, into) => {
    expect(merged(from, into, [], newId)).toEqual({ illegal: expect.any(String) });
  });

  it.each([
    ['17', true],
    ['creator:x', false],
    ['merged:x', false],
    ['erased:x', false],
  ])('recognises %s as a network id: %p', (network_id, is) => {
    expect(isOfNetwork({ network_id })).toBe(is);
  });

  it('copies the price row to a gained unit', () => {
    const row = {
      _id: 'row',
      unit_id: 'old',
      creator_id: 'from',
      net_ask_cents: 7_500,
      set_by: 'test',
      price_cents: 10_000,
      source: 'creator',
      method: 'stated',
      as_of: '2026-11-20',
      recorded_at: AT,
    } as const;
    const [unit] = known.units;
    if (unit === undefined) throw new Error('no unit');
    expect(gainedRow(row, unit, known._id, 'copy')).toEqual({
      ...row,
      _id: 'copy',
      unit_id: unit.unit_id,
      creator_id: known._id,
    });
  });
});
