import { randomUUID } from 'node:crypto';
import { QuoteFacts } from '@cds/contracts';
import { deliver } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { anApproval, answerOf, aSystemCtx, codeOf } from '../test/builders.js';
import { testBilling } from '../test/suite.js';

const billing = testBilling('gate');

const raise = async (key: string, workspace: string, version: number) =>
  answerOf<{ min_mandate_version: number }>(
    await billing.run('gate_raise', await aSystemCtx(billing, workspace), { key_id: key, workspace, version }),
  ).min_mandate_version;

describe('the gate of a key (3.4)', () => {
  it('is created by the first raise and never goes down', async () => {
    const [key, ws] = [randomUUID(), randomUUID()];
    expect(await raise(key, ws, 3)).toBe(3);
    expect(await raise(key, ws, 2)).toBe(3);
    expect(await billing.authority(key)).toEqual({ _id: key, ws, min_mandate_version: 3, months: {}, holds: [] });
  });

  it('is one document, however many raise it at once', async () => {
    const [key, ws] = [randomUUID(), randomUUID()];
    await Promise.all(Array.from({ length: 10 }, (_none, n) => raise(key, ws, n + 1)));
    expect(await raise(key, ws, 1)).toBe(10);
  });

  it('is also raised by mandate.changed', async () => {
    const [key, ws] = [randomUUID(), randomUUID()];
    const [consumer] = billing.parts.consumers;
    if (consumer === undefined) throw new Error('billing follows nothing');
    const payload = { aggregate: key, version: 4, workspace: ws, key_id: key };
    for (const version of [4, 2]) {
      await deliver(billing.store, consumer, { ...payload, version } as never, new Date(0));
    }
    expect((await billing.authority(key))?.min_mandate_version).toBe(4);
  });
});

describe('the brand terms (docs/domain/orders.md#brand-terms)', () => {
  const publish = async (version: string, number: number, text: string) =>
    billing.run('terms_publish', await aSystemCtx(billing, ''), { version, number, text });

  it('are in force by the newest number; publishing the same text again changes nothing', async () => {
    const first = answerOf<{ published_at: string }>(await publish('2026-11-10', 2, 'Two'));
    expect(answerOf<{ published_at: string }>(await publish('2026-11-10', 2, 'Two'))).toEqual(first);
    const { terms } = answerOf<{ terms: { version: string; number: number; text: string } }>(
      await billing.run('terms_current', await aSystemCtx(billing, ''), {}),
    );
    expect(terms).toMatchObject({ version: '2026-11-10', number: 2, text: 'Two' });
    expect(
      answerOf(await billing.run('terms_current', await aSystemCtx(billing, ''), { version: '2020-01-01' })),
    ).toEqual({ terms: null });
  });

  it.each([
    ['another text', '2026-11-10', 2, 'Other'],
    ['another number', '2026-11-10', 3, 'Two'],
    ['a number that is taken', '2026-11-11', 2, 'Two'],
  ])('%s is refused', async (_name, version, number, text) => {
    expect(await codeOf(publish(version, number, text))).toBe('conflict');
  });
});

describe("billing's part of a quote", () => {
  it('shows no options while payments are closed, and no order that does not exist', async () => {
    const ctx = await anApproval(billing, { switches: { payments_open: false } });
    const facts = answerOf<QuoteFacts>(await billing.run('quote_facts', ctx, { order_id: randomUUID() }));
    expect(QuoteFacts.parse(facts)).toEqual(facts);
    expect(facts).toMatchObject({
      payment_options: [],
      agent_payment: 'team_invoice',
      payments_open: false,
      spent_this_month_cents: 0,
      order: null,
    });
  });

  it('drops the link once the order is paid, and hides the order from other workspaces', async () => {
    const plan = billing.planning.plan(500);
    const ctx = await anApproval(billing);
    const { order_id } = answerOf<{ order_id: string }>(await billing.approve(ctx, plan));
    const facts = async (asking: typeof ctx) =>
      answerOf<QuoteFacts>(await billing.run('quote_facts', asking, { order_id }));
    expect((await facts(ctx)).order?.payment?.url).toContain('/pay/');
    expect((await facts(ctx)).spent_this_month_cents).toBe(500);
    await billing.run(
      'sandbox_order_payment',
      { ...ctx, command: { id: randomUUID(), fp: 'p' } },
      { id: order_id, outcome: 'paid' },
    );
    expect((await facts(ctx)).order).toMatchObject({ payment_state: 'paid', payment: null });
    expect((await facts(await anApproval(billing))).order).toBeNull();
  });
});
