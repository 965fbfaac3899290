import { describe, expect, it } from '@jest/globals';
import { slotOf } from './slot.js';

const at = (date: string, goal: Parameters<typeof slotOf>[0]['goal'], format: string | null = 'post') =>
  slotOf({ date, windowStart: '2027-03-10', momentOffset: 2, goal, format });

describe('the slot of a post (docs/domain/plans.md#line-texts)', () => {
  it.each([
    ['the moment of a launch', at('2027-03-12', 'launch', 'quote'), 'Launch day, quote'],
    ['the moment of a funding', at('2027-03-12', 'funding'), 'Announcement day, post'],
    ['the moment of a feature', at('2027-03-12', 'feature'), 'Release day, post'],
    ['the first day without a goal', at('2027-03-12', null), 'Day 1, post'],
    ['a day of the first week', at('2027-03-14', 'launch'), 'Day 3, post'],
    ['its last day', at('2027-03-18', 'launch'), 'Day 7, post'],
    ['a later week', at('2027-03-19', 'launch', 'thread'), 'Week 2, thread'],
    ['days before', at('2027-03-10', 'feature'), '2 days before, post'],
    ['the day before', at('2027-03-11', 'feature'), '1 day before, post'],
    ['a program, by weeks of its window', at('2027-03-12', 'program'), 'Week 1, post'],
    ['its second week', at('2027-03-17', 'program'), 'Week 2, post'],
    ['a line without a format', at('2027-03-12', 'launch', null), 'Launch day'],
  ])('names %s', (_name, slot, text) => {
    expect(slot).toBe(text);
  });
});
