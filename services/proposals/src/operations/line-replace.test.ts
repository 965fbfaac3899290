import { randomUUID } from 'node:crypto';
import type { ErrorBody, PaidLine } from '@cds/contracts';
import { commandId, requestFingerprint, runWrite } from '@cds/service';
import { aCtx, aMandate, RACE_ROUNDS, RACE_TIMEOUT_MS } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { decline } from '../domain/moves.js';
import { anOrder, aReplacement } from '../test/builders.js';
import { testOffers } from '../test/suite.js';
import { opsLineCancel } from './line-cancel.js';
import { lineReplace, opsLineReplace } from './line-replace.js';

const DECLINED_AT = new Date('2026-11-22T10:00:00.000Z');
const NOW = '2026-11-22T11:00:00.000Z';

/** docs/domain/orders.md#replacement-search. */
describe('line_replace', () => {
  const world = testOffers();

  /** A paid line whose creator declined; the brand wants to be asked. */
  const declined = async () => {
    const order = anOrder();
    const lineId = order.lines[0]?.line_id ?? '';
    await world.deliver(world.consumers.order, order);
    await world.move(order.workspace, lineId, (before) => decline(before, DECLINED_AT, 'price'));
    return { ws: order.workspace, lineId, order };
  };
  const ask = async (ws: string, id: string, over: { mandate?: null; now?: string; key?: string } = {}) => {
    const unit = aReplacement();
    const input = { id, unit_id: unit.unit_id };
    const ctx = aCtx({
      workspace: ws,
      sandbox: true,
      now: over.now ?? NOW,
      mandate: over.mandate === undefined ? aMandate() : over.mandate,
      command: { id: commandId(ws, over.key ?? randomUUID()), fp: requestFingerprint('line_replace', input) },
    });
    const deps = {
      offers: world.offers,
      checks: world.checks,
      calls: { replacement_unit: async () => ({ replacement: unit }) },
    };
    const outcome = await runWrite(world.shell, ctx, 'line_replace', 200, async () => {
      const decided = await lineReplace(ctx, input, deps);
      if (!('parts' in decided)) throw new Error('expected a change');
      return decided;
    });
    return outcome.ok
      ? { unit, line: JSON.parse(outcome.json.toString()) as PaidLine, error: null }
      : { unit, line: null, error: outcome.error as ErrorBody };
  };

  it('offers the line to the chosen creator, as the search would', async () => {
    const { ws, lineId } = await declined();
    const { unit, line } = await ask(ws, lineId);
    expect(line).toMatchObject({
      id: lineId,
      creator_id: unit.creator_id,
      unit_id: unit.unit_id,
      price_cents: 60_000,
      booked: false,
      proposal: { state: 'sent', attempt: 2, expires_at: '2026-11-24T11:00:00.000Z' },
    });
    expect((await world.emitted(lineId)).at(-1)).toMatchObject({ attempt: 2, search: null });
    expect(await world.checks.rows.countDocuments({ ws, operation: 'line_replace', reason: null })).toBe(1);
  });

  it('is refused without a mandate, with a receipt, and once the line has a creator', async () => {
    const { ws, lineId } = await declined();
    const refused = await ask(ws, lineId, { mandate: null });
    expect(refused.error).toMatchObject({ code: 'mandate_refused', details: { reason: 'no_mandate' } });
    expect(refused.error?.receipt_id).toMatch(/^[0-9a-f-]{36}$/);
    await ask(ws, lineId);
    expect((await ask(ws, lineId)).error).toMatchObject({
      code: 'conflict',
      details: { reason: 'bad_state', state: 'sent', attempt: 2 },
    });
  });

  it('counts an offer whose time is over as not answered, before the sweep has come to it', async () => {
    const order = anOrder({ sandbox: false });
    const lineId = order.lines[0]?.line_id ?? '';
    await world.deliver(world.consumers.order, order);
    expect((await ask(order.workspace, lineId, { now: '2026-11-22T11:59:59.999Z' })).error).toMatchObject({
      details: { reason: 'bad_state', state: 'sending' },
    });
    const { line } = await ask(order.workspace, lineId, { now: '2026-11-22T12:00:00.000Z' });
    expect(line).toMatchObject({ proposal: { attempt: 2 } });
    expect((await world.emitted(lineId)).map((event) => [event.version, event.attempt, event.proposal.state])).toEqual([
      [1, 1, 'sending'],
      [2, 1, 'no_reply'],
      [3, 2, 'sending'],
    ]);
    const rows = await world.offers.proposals.find({ line_id: lineId }).toArray();
    expect(rows.map(({ attempt, state, due_at }) => [attempt, state, due_at !== null]).sort()).toEqual([
      [1, 'no_reply', false],
      [2, 'sending', true],
    ]);
  });

  it(
    'lets one of brand, search and team win, whatever their order',
    async () => {
      for (let round = 0; round < RACE_ROUNDS; round += 1) {
        const { ws, lineId } = await declined();
        world.found.candidates = [aReplacement()];
        const team = aCtx({ workspace: ws, sandbox: true, now: NOW });
        const deps = {
          offers: world.offers,
          clocks: { now: async () => new Date(NOW) } as never,
          calls: {
            replacement_unit: async () => ({ replacement: aReplacement() }),
            replacement_candidates: async () => ({
              replacements: 'auto' as const,
              candidates: [aReplacement()],
              lines: [],
            }),
          },
        };
        const replace = async () => world.saved(await opsLineReplace(team, { id: lineId, reason: 'a test' }, deps));
        const ends = await Promise.allSettled([ask(ws, lineId), world.jump(ws, NOW), replace()]);
        const rows = await world.offers.proposals.find({ ws, line_id: lineId }).toArray();
        expect(rows.map(({ attempt }) => attempt).sort()).toEqual([1, 2]);
        expect(rows.filter(({ open }) => open)).toHaveLength(1);
        const [brand] = ends;
        const won = brand?.status === 'fulfilled' && brand.value.line !== null;
        const open = rows.find((row) => row.open);
        if (won) expect(open?.creator_id).toBe(brand.value.unit.creator_id);
        else expect(brand?.status === 'fulfilled' && brand.value.error?.details?.['reason']).toBe('bad_state');
      }
      world.found.candidates = [];
    },
    RACE_TIMEOUT_MS,
  );

  it('finds nobody for the team when the search finds nobody, and cancels a line with its credit', async () => {
    const { ws, lineId } = await declined();
    const team = aCtx({ workspace: ws, sandbox: true, now: NOW });
    const clocks = { now: async () => new Date(NOW) } as never;
    const nobody = {
      replacement_unit: async () => ({ replacement: aReplacement() }),
      replacement_candidates: async () => ({ replacements: 'auto' as const, candidates: [], lines: [] }),
    };
    await expect(
      opsLineReplace(team, { id: lineId, reason: 'a test' }, { offers: world.offers, clocks, calls: nobody }),
    ).rejects.toMatchObject({ code: 'conflict', details: { reason: 'nobody_found' } });

    const cancel = (amount_cents?: number) =>
      opsLineCancel(
        team,
        { id: lineId, reason: 'a test', ...(amount_cents === undefined ? {} : { amount_cents }) },
        { offers: world.offers, clocks },
      );
    await expect(cancel(60_001)).rejects.toMatchObject({ code: 'unprocessable' });
    await world.saved(await cancel(20_000));
    expect((await world.offers.byLine(ws, lineId))?.line).toMatchObject({
      cancelled: true,
      cancel_cause: 'cancelled',
      credits: [{ cause: 'cancelled', amount_cents: 20_000 }],
    });
    await expect(cancel()).rejects.toMatchObject({ details: { reason: 'bad_state' } });
  });
});
