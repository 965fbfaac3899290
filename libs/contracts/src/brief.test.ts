import { describe, expect, test } from '@jest/globals';
import { briefAnswer, type KeptFields } from './brief.js';
import { billingOperations, catalogOperations, planningOperations } from './index.js';

const tool = (kept: KeptFields, changedLine?: 'line_id') => ({
  tool: {
    ...planningOperations.plan_quote.tool,
    brief: { kept, ...(changedLine === undefined ? {} : { changedLine }) },
  },
});
const items = { items: { id: true, state: true } } as const;

describe('brief answers (docs/domain/mcp.md#brief-answers)', () => {
  test.each<[name: string, kept: KeptFields, answer: object, brief: object]>([
    ['keeps the declared fields alone', { a: true }, { a: 1, b: 2 }, { a: 1 }],
    ['leaves out what is null or absent', { a: true, b: true, c: true }, { a: null, b: false }, { b: false }],
    ['leaves out an empty list of plain values', { a: true, b: true }, { a: [], b: ['x'] }, { b: ['x'] }],
    ['keeps an empty list of objects', items, { items: [] }, { items: [] }],
    ['keeps fields within objects', { a: { b: true } }, { a: { b: 1, c: 2 } }, { a: { b: 1 } }],
    ['leaves out an object that is null', { a: { b: true } }, { a: null }, {}],
    [
      'keeps an object that has the field it needs',
      { a: { b: true, c: 'needed' } },
      { a: { b: 1, c: [2] } },
      { a: { b: 1, c: [2] } },
    ],
    ['leaves out an object without the field it needs', { a: { b: true, c: 'needed' } }, { a: { b: 1 } }, {}],
    ['keeps a whole object', { a: true }, { a: { b: null } }, { a: {} }],
    [
      'says once what three or more items share',
      items,
      { items: [1, 2, 3].map((id) => ({ id, state: 'live', more: 'x' })) },
      { same_for_all_items: { state: 'live' }, items: [{ id: 1 }, { id: 2 }, { id: 3 }] },
    ],
    [
      'says it in each of two',
      items,
      { items: [1, 2].map((id) => ({ id, state: 'live' })) },
      { items: [1, 2].map((id) => ({ id, state: 'live' })) },
    ],
    [
      'tells a field that one item lacks apart from one that all share',
      items,
      {
        items: [
          { id: 1, state: 'live' },
          { id: 2, state: null },
          { id: 3, state: 'live' },
        ],
      },
      { items: [{ id: 1, state: 'live' }, { id: 2 }, { id: 3, state: 'live' }] },
    ],
    [
      'a null within a field that is kept as it is',
      { a: true },
      { a: { b: null, c: [{ d: null, e: 1 }] } },
      { a: { c: [{ e: 1 }] } },
    ],
  ])('%s', (_name, kept, answer, brief) => {
    expect(briefAnswer(tool(kept), answer)).toEqual(brief);
  });

  test('after an edit the changed line is the only one', () => {
    const kept = { line_id: true, plan: { total_cents: true, lines: { id: true, price_cents: true } } } as const;
    const lines = ['a', 'b', 'c', 'd'].map((id) => ({ id, price_cents: 5, reason: 'r' }));
    const answer = { line_id: 'c', plan: { total_cents: 20, currency: 'USD', lines } };
    expect(briefAnswer(tool(kept, 'line_id'), answer)).toEqual({
      line_id: 'c',
      plan: { total_cents: 20, lines: [{ id: 'c', price_cents: 5 }] },
    });
  });

  test('without a declaration the answer stays as it is', () => {
    expect(briefAnswer({ tool: {} }, { a: null })).toEqual({ a: null });
    expect(briefAnswer({}, { a: null })).toEqual({ a: null });
  });

  test('every edit keeps totals, fingerprint and policy; a move keeps the day of each line alone', () => {
    const { plan_add_creator, plan_remove_creator, plan_swap_creator, plan_move_dates } = planningOperations;
    for (const { tool } of [plan_add_creator, plan_remove_creator, plan_swap_creator, plan_move_dates])
      expect(tool.brief.kept.plan).toMatchObject({ totals: {}, terms_fingerprint: true, policy: true, version: true });
    expect(plan_move_dates.tool.brief.kept.plan.lines).toEqual({ id: true, scheduled_date: true });
    expect(plan_remove_creator.tool.brief.kept.plan).not.toHaveProperty('lines');
  });

  test('a brief status keeps what comes next of the lines that wait for a choice, with the candidates', () => {
    const candidates = [1, 2].map((price_cents) => ({ unit_id: 'u', name: 'Ada', price_cents }));
    const next = { text: 'Choose a replacement.', at: '2026-12-02T00:00:00.000Z', candidates };
    const lines = [
      { id: 'a', next },
      { id: 'b', next: { text: 'Live.', at: null } },
    ];
    expect(briefAnswer(planningOperations.campaign_status, { plan: { lines } })).toEqual({
      plan: { lines: [{ id: 'a', next }, { id: 'b' }] },
    });
  });

  test('what a person must have is kept: the payment link, and how to buy a format', () => {
    expect(billingOperations.approve_plan.tool.brief.kept.payment).toBe(true);
    expect(catalogOperations.creators_search.tool.brief.kept.creators.offerings).toMatchObject({ unit_id: true });
  });
});
