import { expect, it } from '@jest/globals';
import type { Credit } from './credit.js';
import { taken } from './returned.js';

/** docs/domain/orders.md#refunds. */
it('a credit that is split again under one reference leaves a rest of its own each time', () => {
  const credit = { _id: 'a', amount_cents: 1_000, state: 'due' } as Credit;
  const paid = taken([credit], [credit], 700, 're_1').credits;
  const came = taken(paid, paid.slice(0, 1), 200, 're_1').credits;
  expect(came.map(({ amount_cents: cents }) => cents)).toEqual([200, 300, 500]);
  expect(new Set(came.map(({ _id }) => _id)).size).toBe(3);
});
