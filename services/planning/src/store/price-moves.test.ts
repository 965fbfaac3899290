import { HOSTILE_TEXTS } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { testWorld } from '../test/suite.js';

describe('price moves', () => {
  const world = testWorld('price_moves');

  it('treat ids as values, whatever they look like', async () => {
    const ids = [...new Set(HOSTILE_TEXTS.map((text) => text.toWellFormed()))];
    const { priceMoves } = world.deps;
    for (const id of ids) {
      await priceMoves.noteIn(id, id, new Date(0));
      await priceMoves.note('creator', [id], new Date(0));
    }
    const rows = await priceMoves.rows.find().toArray();
    expect(rows.find((row) => row._id === 'creator')?.unit_ids.sort()).toEqual([...ids].sort());
    for (const id of ids)
      expect(rows.find((row) => row._id === `${id}|${id}`)).toMatchObject({ ws: id, unit_ids: [id] });
  });
});
