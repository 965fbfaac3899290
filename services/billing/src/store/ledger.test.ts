import { randomUUID } from 'node:crypto';
import { Deadline, inTx } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LedgerEntry } from '../domain/order-state.js';
import { Ledger } from './ledger.js';

let ledger: Ledger;
let test: Awaited<ReturnType<typeof testStore>>;
beforeAll(async () => {
  test = await testStore('ledger');
  ledger = new Ledger(test.store);
  await test.store.migrate();
});
afterAll(() => test.drop());

const charge = (over: Partial<LedgerEntry> = {}): LedgerEntry => ({
  _id: randomUUID(),
  ws: 'ws',
  order_id: 'order',
  seq: 2,
  kind: 'charge',
  amount_cents: 100,
  rail: 'stripe',
  rail_ref: 'pay_1',
  line_id: null,
  cause: 'paid',
  actor: 'rail',
  at: new Date(0),
  ...over,
});
const add = (...entries: LedgerEntry[]) => inTx(test.store, Deadline.in(5_000), (tx) => ledger.add(tx, entries));
const DUPLICATE = expect.objectContaining({ code: 11_000 });

describe('an entry of the ledger (docs/reliability.md#payment-events; I21, I23)', () => {
  it('is written once per order, rail reference and kind, whoever writes it', async () => {
    await add(charge());
    await expect(add(charge({ seq: 3, amount_cents: 40 }))).rejects.toEqual(DUPLICATE);
    await add(charge({ rail_ref: 'pay_2' }), charge({ kind: 'refund', amount_cents: -100 }));
    const kept = (await ledger.of('ws', 'order')).map(({ kind, rail_ref }) => `${kind} ${rail_ref}`);
    expect(new Set(kept)).toEqual(new Set(['charge pay_1', 'charge pay_2', 'refund pay_1']));
    expect(kept).toHaveLength(3);
  });

  it('takes its whole transaction back with it', async () => {
    await add(charge({ order_id: 'other' }));
    await expect(add(charge({ order_id: 'third' }), charge({ order_id: 'other' }))).rejects.toEqual(DUPLICATE);
    expect(await ledger.of('ws', 'third')).toEqual([]);
  });
});
