import type { WriteRefusal } from '@cds/contracts';
import { asksOf } from '@cds/rules';
import { namedUuid } from '@cds/service/named-uuid';
import { describe, expect, it } from '@jest/globals';
import { aHold } from '../test/builders.js';
import { LINE } from '../test/fake-planning.js';
import { receiptIdOf, refusalIdOf, refusedReceipt, refusedWriteReceipt, signedReceipt } from './receipt.js';

const ISSUER = 'https://app.example.com';
const REFUSAL = { details: { reason: 'no_mandate', escalate: true } };
const hold = aHold();
const ASKED = asksOf(hold.approved_at, { total_cents: 1 });
const evidence = {
  at: '2026-11-21T12:00:00.000Z',
  budget_cents: null,
  lines: [
    {
      line_id: 'line',
      unit_id: 'unit',
      scheduled_date: '2026-12-03',
      price_cents: 100,
      current_price_cents: 90,
      on_sale: true,
    },
  ],
};

describe('what a receipt says (docs/domain/orders.md#receipts)', () => {
  it('has an id of its signing, the same whoever finishes it', () => {
    expect(receiptIdOf({ signing_id: hold.signing_id })).toBe(namedUuid('receipt', hold.signing_id));
    expect(receiptIdOf(hold)).not.toBe(receiptIdOf(aHold()));
    expect(signedReceipt(ISSUER, hold, { lines: [LINE] }).id).toBe(receiptIdOf(hold));
  });

  it('has an id of what was refused in which hour, the same for every request that was refused so', () => {
    const at = (time: string) => ({ approved_at: new Date(`2026-11-21T${time}Z`) });
    const first = { ...hold, ...at('12:00:00.000') };
    const idOf = (over: object, refusal = REFUSAL, of: typeof evidence | undefined = evidence) =>
      refusalIdOf({ ...first, ...over }, refusal, of);
    expect(refusedReceipt(ISSUER, first, REFUSAL, evidence).id).toBe(idOf({}));
    const signing = { signing_id: 'another', command_id: 'another', order_id: 'another' };
    expect(idOf({ ...signing, ...at('12:59:59.999') })).toBe(idOf({}));
    const others = [
      idOf(at('13:00:00.000')),
      idOf({ plan_id: 'another' }),
      idOf({ plan_version: 99 }),
      idOf({ terms_fingerprint: 'another' }),
      idOf({ mandate_version: 99 }),
      idOf({ terms_version: 'another' }),
      idOf({ principal: { ...hold.principal, key: 'another' } }),
      idOf({}, { details: { reason: 'mandate_expired', escalate: true } }),
      idOf({}, REFUSAL, { ...evidence, lines: evidence.lines.map((line) => ({ ...line, current_price_cents: 91 })) }),
      refusalIdOf(first, REFUSAL, undefined),
    ];
    expect(new Set([idOf({}), ...others]).size).toBe(11);
  });

  it('names who asked for what, and under which mandate and terms', () => {
    const { principal } = aHold();
    const parent = { key: 'parent', monthly_cap_cents: 1, mandate_version: 1 };
    const asked = {
      ...hold,
      principal: { ...principal, parent },
      check: { request_id: 'req', at: hold.approved_at, asked: ASKED },
    };
    const said = {
      v: 1,
      issuer: ISSUER,
      workspace: 'ws',
      operation: 'approve_plan',
      mandate_version: 1,
      brand_terms_version: '2026-11-01',
      plan_version: 1,
      terms_fingerprint: 'tf',
      currency: 'USD',
      at: '2026-11-21T12:00:00.000Z',
    };
    expect(refusedReceipt(ISSUER, asked, REFUSAL, undefined)).toMatchObject({
      ...said,
      request_id: 'req',
      key_id: principal.key,
      parent_key_id: 'parent',
      total_cents: 1,
    });
    expect(signedReceipt(ISSUER, hold, { lines: [LINE] })).toMatchObject({
      ...said,
      request_id: null,
      parent_key_id: null,
    });
  });

  it('names order and total of a signing, with the prices that planning read', () => {
    expect(signedReceipt(ISSUER, hold, { lines: [LINE], evidence })).toMatchObject({
      kind: 'signed',
      issuer: ISSUER,
      order_id: hold.order_id,
      total_cents: 100,
      prices_read_at: evidence.at,
      lines: evidence.lines,
    });
  });

  it('keeps the lines of a signing whose prices nobody reported', () => {
    expect(signedReceipt(ISSUER, hold, { lines: [LINE] })).toMatchObject({
      prices_read_at: null,
      lines: [{ line_id: LINE.line_id, price_cents: LINE.price_cents, current_price_cents: null, on_sale: null }],
    });
  });

  it('names no order for a refusal, and the total only where it was judged', () => {
    expect(refusedReceipt(ISSUER, aHold({ total_cents: 0 }), REFUSAL, undefined)).toMatchObject({
      kind: 'refused',
      order_id: null,
      total_cents: null,
      lines: [],
      rules: [
        { rule: 'plan_signed', passed: true },
        { rule: 'archived', passed: true },
        { rule: 'no_mandate', passed: false, figures: { escalate: true } },
      ],
    });
  });

  it('names no plan, prices or brand terms for a write before signing', () => {
    const refusal: WriteRefusal = {
      id: 'receipt',
      request_id: 'req',
      operation: 'plan_add_creator',
      key_id: 'key',
      parent_key_id: null,
      mandate_version: 2,
      total_cents: 500,
      rules: [{ rule: 'no_mandate', passed: false, figures: {} }],
      at: '2026-11-21T12:00:00.000Z',
    };
    expect(refusedWriteReceipt(ISSUER, { workspace: 'ws', sandbox: true }, refusal)).toMatchObject({
      ...refusal,
      kind: 'refused',
      sandbox: true,
      plan_id: null,
      terms_fingerprint: null,
      brand_terms_version: null,
      order_id: null,
      prices_read_at: null,
      lines: [],
    });
  });
});
