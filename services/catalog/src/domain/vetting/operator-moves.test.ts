import { describe, expect, it } from '@jest/globals';
import type { Creator } from '../creator/creator.js';
import { switchMove, vetMove } from './operator-moves.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
const creator = (over: Partial<Creator> = {}) =>
  ({ status: 'not_reviewed', active: true, excluded: false, flag_inactive: false, ...over }) as Creator;

describe('a decision about a status', () => {
  it.each([
    ['not_reviewed', 'approved', true],
    ['not_reviewed', 'borderline', true],
    ['not_reviewed', 'declined', true],
    ['not_reviewed', 'not_reviewed', false],
    ['borderline', 'approved', true],
    ['borderline', 'declined', true],
    ['borderline', 'not_reviewed', false],
    ['approved', 'borderline', true],
    ['approved', 'declined', true],
    ['approved', 'approved', false],
    ['approved', 'not_reviewed', false],
    ['declined', 'approved', false],
    ['declined', 'borderline', false],
    ['declined', 'not_reviewed', true],
  ] as const)('%s to %s: %s', (status, decision, allowed) => {
    expect('set' in vetMove(creator({ status }), decision, NOW)).toBe(allowed);
  });

  it.each([
    [89, false],
    [90, true],
  ])('lets a declined creator be reviewed again after %i days: %s', (days, allowed) => {
    const declined = creator({ status: 'declined', decided_at: daysAgo(days) });
    expect('set' in vetMove(declined, 'not_reviewed', NOW)).toBe(allowed);
  });
});

describe('a switch', () => {
  const pin = (flag: boolean | null) => ({ weights: null, flag, language: false });
  it.each([
    ['pause', {}, { active: false }],
    ['pause', { active: false }, null],
    ['resume', { active: false }, { active: true }],
    ['resume', {}, null],
    ['pause', { active: false, own_pause: true }, { own_pause: false }],
    ['pause', { active: false, own_pause: false }, null],
    ['resume', { active: false, own_pause: true }, { active: true, own_pause: false }],
    ['exclude', {}, { excluded: true, exclusion_reason: 'why' }],
    ['exclude', { excluded: true }, null],
    ['include', { excluded: true }, { excluded: false, exclusion_reason: null }],
    ['include', {}, null],
    ['flag', {}, { flag_inactive: true, pinned: pin(true) }],
    ['flag', { flag_inactive: true }, { flag_inactive: true, pinned: pin(true) }],
    ['flag', { flag_inactive: true, pinned: pin(true) }, null],
    ['unflag', { flag_inactive: true, pinned: pin(true) }, { flag_inactive: false, pinned: pin(null) }],
    ['unflag', { flag_inactive: true }, { flag_inactive: false, pinned: pin(false) }],
    ['unflag', {}, null],
  ] as const)('%s of %j sets %j', (move, over, set) => {
    const moved = switchMove(creator(over as Partial<Creator>), move, 'why');
    expect('set' in moved ? moved.set : null).toEqual(set);
  });
});
