import type { Output } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aCreator, anId } from '../test/builders.js';
import { aNetwork, aRequest, type TestNetwork } from '../test/network.js';
import { unitPayout } from './unit-payout.js';

const ADA = anId(0xc1);

/** docs/domain/access.md#creator-links. */
describe('unit_payout', () => {
  let network: TestNetwork;
  beforeAll(async () => {
    network = await aNetwork('payout');
    await network.take([aCreator({ id: ADA, handle: 'demo_ada', url: 'https://example.com/demo_ada' })]);
  });
  afterAll(() => network.drop());

  const payout = async (unit_id: string, price_cents: number): Promise<Output<'unit_payout'>> =>
    (await unitPayout(aRequest(), { unit_id, price_cents }, network)) as Output<'unit_payout'>;

  it("answers the ask that led to a unit's price, and null for a price without one", async () => {
    const creator = await network.operated.byId(ADA);
    const unit = creator?.units.find(({ price }) => price !== null);
    const unitId = unit?.unit_id ?? '';
    const allIn = unit?.price?.price_cents ?? 0;
    const ask = Math.floor((allIn * 75) / 100);
    expect(await payout(unitId, allIn)).toEqual({ payout_cents: ask });
    expect(await payout(unitId, allIn + 500)).toEqual({ payout_cents: null });
    expect(await payout(anId(0xc9), allIn)).toEqual({ payout_cents: null });

    // A newer ask that leads to the same price is what the creator wants now.
    const prices = network.store.db.collection<{ _id: string }>('prices');
    const row = await prices.findOne({ unit_id: unitId });
    await prices.insertOne({ ...row, _id: 'newer', as_of: '2099-01-01', net_ask_cents: ask - 1 } as { _id: string });
    expect(await payout(unitId, allIn)).toEqual({ payout_cents: ask - 1 });
  });
});
