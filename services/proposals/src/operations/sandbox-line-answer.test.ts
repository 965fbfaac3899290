import { randomUUID } from 'node:crypto';
import type { Input } from '@cds/contracts';
import { type Client, commandId, requestFingerprint, runWrite } from '@cds/service';
import { aCtx } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { anOrder, aSignedLine } from '../test/builders.js';
import { testOffers } from '../test/suite.js';
import { sandboxLineAnswer } from './sandbox-line-answer.js';

/** docs/domain/sandbox.md#sandbox. */
describe('sandbox_line_answer', () => {
  const world = testOffers();
  const calls: Client<'identity_reveal'> = {
    identity_reveal: async (_ctx, { creator_ids }) => ({
      creators: creator_ids.map((id) => ({ creator_id: id, handle: 'demo_ada', url: 'https://example.com/demo_ada' })),
    }),
  };

  const paid = async () => {
    const order = anOrder({ lines: [aSignedLine({ scheduled_date: '2026-12-05' })] });
    await world.deliver(world.consumers.order, order);
    return { ws: order.workspace, lineId: order.lines[0]?.line_id ?? '' };
  };
  type Asked = Omit<Input<'sandbox_line_answer'>, 'id'> & { now?: string; key?: string; reveal?: typeof calls };
  const ask = async (ws: string, id: string, { now = '2026-11-21T12:05:00.000Z', key, reveal, ...body }: Asked) => {
    const input = { id, ...body };
    const command = {
      id: commandId(ws, key ?? randomUUID()),
      fp: requestFingerprint('sandbox_line_answer', input),
    };
    const ctx = aCtx({ workspace: ws, sandbox: true, now, command });
    const outcome = await runWrite(world.shell, ctx, 'sandbox_line_answer', 200, async () => {
      const decided = await sandboxLineAnswer(ctx, input, { offers: world.offers, calls: reveal ?? calls });
      if (!('parts' in decided)) throw new Error('expected a change');
      return decided;
    });
    return outcome.ok ? { ok: true, value: JSON.parse(outcome.json.toString()) as unknown } : outcome;
  };
  const refusal = (reason: string) => ({ ok: false, error: { code: 'conflict', details: { reason } } });

  it('accepts at once and books the line’s day', async () => {
    const { ws, lineId } = await paid();
    expect(await ask(ws, lineId, { answer: 'accept' })).toMatchObject({
      ok: true,
      value: {
        id: lineId,
        scheduled_date: '2026-12-05',
        booked: true,
        proposal: {
          state: 'accepted',
          creator_handle: 'demo_ada',
          replaced_handle: null,
          updated_at: '2026-11-21T12:05:00.000Z',
        },
      },
    });
    expect(await world.emitted(lineId)).toMatchObject([{ version: 1 }, { version: 2, booked: true }]);
  });

  it('declines with a reason, after which no proposal is open', async () => {
    const { ws, lineId } = await paid();
    expect(await ask(ws, lineId, { answer: 'decline', reason: 'price' })).toMatchObject({
      value: { booked: false, proposal: { state: 'declined' } },
    });
    expect(await world.offers.proposals.findOne({ line_id: lineId })).toMatchObject({ decline_reason: 'price' });
    expect(await ask(ws, lineId, { answer: 'accept' })).toMatchObject(refusal('no_open_proposal'));
  });

  it('has a late creator accept 52 hours after sending', async () => {
    const { ws, lineId } = await paid();
    await ask(ws, lineId, { answer: 'late' });
    await world.jump(ws, '2026-12-01T00:00:00Z');
    expect(await world.emitted(lineId)).toMatchObject([
      { version: 1 },
      { proposal: { state: 'no_reply', updated_at: '2026-11-23T12:00:00.000Z' } },
      { proposal: { state: 'unfilled', updated_at: '2026-11-23T12:00:00.000Z' } },
      { booked: true, proposal: { state: 'accepted', updated_at: '2026-11-23T16:00:00.000Z' } },
    ]);
  });

  it('refuses an expired proposal and an unpaid line', async () => {
    const { ws, lineId } = await paid();
    const late = await ask(ws, lineId, { answer: 'accept', now: '2026-11-23T12:00:00.000Z' });
    expect(late).toMatchObject(refusal('no_open_proposal'));
    const order = anOrder({ version: 1, payment_state: 'unpaid', paid_at: null });
    await world.deliver(world.consumers.order, order);
    expect(await ask(order.workspace, order.lines[0]?.line_id ?? '', { answer: 'accept' })).toMatchObject(
      refusal('no_open_proposal'),
    );
  });

  it('answers not_found for another workspace’s line, a live line and an unknown id', async () => {
    const { lineId } = await paid();
    const live = anOrder({ sandbox: false });
    await world.deliver(world.consumers.order, live);
    const gone = { code: 'not_found' };
    await expect(ask(randomUUID(), lineId, { answer: 'accept' })).rejects.toMatchObject(gone);
    await expect(ask(live.workspace, live.lines[0]?.line_id ?? '', { answer: 'accept' })).rejects.toMatchObject(gone);
    await expect(ask(randomUUID(), randomUUID(), { answer: 'accept' })).rejects.toMatchObject(gone);
  });

  it('lists the fields that do not go together', async () => {
    const { ws, lineId } = await paid();
    expect(await ask(ws, lineId, { answer: 'ignore', date: '2026-12-05', reason: 'no' })).toMatchObject({
      error: { code: 'unprocessable', details: { problems: [{ field: 'date' }, { field: 'reason' }] } },
    });
  });

  it('answers unavailable until the handle is revealed, and keeps the proposal open', async () => {
    const { ws, lineId } = await paid();
    const reveal = { identity_reveal: async () => ({ creators: [] }) };
    await expect(ask(ws, lineId, { answer: 'accept', reveal })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await world.offers.proposals.findOne({ line_id: lineId })).toMatchObject({ state: 'sent', open: true });
  });
});
