import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { anApproval } from '../test/builders.js';
import { testBilling } from '../test/suite.js';

const billing = testBilling('unpaid_end');

const DAY_MS = 86_400_000;

const unpaid = async (sandbox: boolean): Promise<string> => {
  const plan = billing.planning.plan(10_000);
  const ctx = await anApproval(billing, { sandbox });
  await billing.run('approve_plan', ctx, { id: plan.id, terms_fingerprint: plan.terms_fingerprint });
  await billing.parts.close();
  return ctx.principal.workspace;
};
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
