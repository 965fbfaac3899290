import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { aSigned } from '../test/builders.js';
import { testBilling } from '../test/suite.js';

const billing = testBilling('unpaid_end');

const DAY_MS = 86_400_000;

const unpaid = async (sandbox: boolean): Promise<string> => (await aSigned(billing, { sandbox })).ws;
const statesOf = async (ws: string) => (await billing.orders(ws)).map((order) => order.payment_state);

/** docs/reliability.md#clocks: live work follows database time, whatever a sandbox does to its own clock. */
describe('unpaid orders', () => {
  it('of live workspaces and other sandboxes are unchanged when one sandbox jumps ten years', async () => {
    const [live, jumper, neighbour] = [await unpaid(false), await unpaid(true), await unpaid(true)];
    await billing.shell.clocks.set(jumper, 3_650 * DAY_MS);
    await billing.shell.clocks.set(randomUUID(), 36_500 * DAY_MS);
    await billing.sweep('unpaid orders');
    expect(await statesOf(jumper)).toEqual(['cancelled']);
    expect(await statesOf(live)).toEqual(['unpaid']);
    expect(await statesOf(neighbour)).toEqual(['unpaid']);
  });
});
