import { describe, expect, it } from '@jest/globals';
import { aBooking, anOrder, aSignedLine } from '../test/builders.js';
import {
  amountProblem,
  expectedViews,
  isOver,
  type Line,
  scheduledDate,
  slotNow,
  spendCents,
  withOffer,
  withSigned,
} from './line.js';

const SIGNED = aSignedLine({ slot: 'Launch day, post', scheduled_date: '2026-12-01' });

const slotOn = (day: string, of: { line?: object; campaign?: object } = {}): string => {
  const signedLine = { ...SIGNED, ...of.line };
  const order = anOrder({ lines: [signedLine] });
  const campaign = { ...order.campaign, goal: 'launch' as const, moment_offset: 0, ...of.campaign };
  const line = withSigned(null, { ...order, campaign }, signedLine);
  const booked: Line | null = withOffer(line, aBooking(order, signedLine, { scheduled_date: day }));
  if (booked?.signed == null) throw new Error('the line is signed');
  return slotNow(booked, booked.signed);
};

describe('the slot of a line (docs/domain/plans.md#line-texts)', () => {
  it.each([
    ['is the signed one on the signed day', slotOn('2026-12-01'), 'Launch day, post'],
    ['follows the day that a creator booked', slotOn('2026-12-04'), 'Day 4, post'],
    ['counts from the moment', slotOn('2026-12-04', { campaign: { moment_offset: 5 } }), '2 days before, post'],
    ['counts a program by weeks', slotOn('2026-12-08', { campaign: { goal: 'program' } }), 'Week 2, post'],
    ['stays where the team wrote it', slotOn('2026-12-04', { line: { team_slot: true } }), 'Launch day, post'],
    [
      'stays where an older release signed it',
      slotOn('2026-12-04', { campaign: { goal: undefined, moment_offset: undefined } }),
      'Launch day, post',
    ],
  ])('%s', (_name, slot, text) => {
    expect(slot).toBe(text);
  });
});

describe('a line of which half is known', () => {
  const order = anOrder({ lines: [SIGNED] });
  const signed = (over: Parameters<typeof anOrder>[0] = {}): Line => {
    const line = withSigned(null, { ...order, ...over }, SIGNED);
    if (line === null) throw new Error('the event is new');
    return line;
  };
  const offered = (over: Parameters<typeof aBooking>[2] = {}, before: Line | null = null): Line => {
    const line = withOffer(before, aBooking(order, SIGNED, over));
    if (line === null) throw new Error('the event is new');
    return line;
  };

  it('keeps the seed of its sandbox, where it has one', () => {
    expect(signed({ campaign: { ...order.campaign, seed: 7 } }).seed).toBe(7);
    expect(offered({ seed: 7 }).seed).toBe(7);
    expect(signed()).not.toHaveProperty('seed');
    expect(offered()).not.toHaveProperty('seed');
  });

  it('takes events that are newer alone, one write each', () => {
    const line = signed();
    expect([line.rev, offered({}, line).rev]).toEqual([1, 2]);
    expect(withSigned(line, order, SIGNED)).toBeNull();
    expect(withSigned(line, { ...order, version: 3 }, SIGNED)?.rev).toBe(2);
    expect(withOffer(offered(), aBooking(order, SIGNED))).toBeNull();
    expect(withOffer(offered(), aBooking(order, SIGNED, { version: 3 }))?.rev).toBe(2);
  });

  it('knows when it was paid, once it is', () => {
    expect(signed().signed?.paid_at).toEqual(new Date('2026-11-21T12:00:00Z'));
    expect(signed({ paid_at: null }).signed?.paid_at).toBeNull();
  });

  it.each<[over: boolean, what: string, line: Line]>([
    [false, 'signed', signed()],
    [false, 'offered', offered()],
    [true, 'cancelled', offered({ cancelled: true })],
    [true, 'of a cancelled order', signed({ payment_state: 'cancelled' })],
    [true, 'of a refunded order', signed({ payment_state: 'refunded' })],
    [false, 'of an order that is refunded in part', signed({ payment_state: 'partially_refunded' })],
  ])('is over: %s, once %s', (over, _what, line) => {
    expect(isOver(line)).toBe(over);
  });

  it('expects the views of its creator now, then those that were signed, then none', () => {
    const views = { expected_views: 1, views_low: 2, views_high: 3, engagement_rate: 4 };
    const nobody = { ...signed(), signed: null };
    expect(expectedViews(offered(views, signed()))).toEqual(views);
    expect(expectedViews(signed())).toMatchObject({ expected_views: 18_000 });
    expect(expectedViews(nobody)).toEqual({
      expected_views: null,
      views_low: null,
      views_high: null,
      engagement_rate: null,
    });
    expect([
      scheduledDate(offered({ scheduled_date: '2026-12-09' }, signed())),
      scheduledDate(signed()),
      scheduledDate(nobody),
    ]).toEqual(['2026-12-09', '2026-12-01', null]);
  });

  it('costs its price less what it owes, and credits at most the rest', () => {
    const credits = [{ cause: 'dispute' as const, amount_cents: 15_000, at: '2026-12-01T00:00:00.000Z' }];
    const line = offered({ credits }, signed());
    expect([
      spendCents(signed(), { price_cents: 60_000 }),
      spendCents(line, { price_cents: 60_000 }),
      spendCents(line, { price_cents: 1 }),
    ]).toEqual([60_000, 45_000, 0]);
    expect([amountProblem(null, 1), amountProblem(offered(), 1), amountProblem(line, 45_000)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(amountProblem(line, 45_001)).toEqual({
      field: 'amount_cents',
      message: "must be at most 45000, what is left of the line's price",
    });
  });
});
