import { describe, expect, it } from '@jest/globals';
import { aBooking, anOrder, aSignedLine } from '../test/builders.js';
import { type Line, slotNow, withOffer, withSigned } from './line.js';

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
