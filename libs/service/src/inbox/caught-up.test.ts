import { describe, expect, it } from '@jest/globals';
import { newestOf, type Progress, progressTo } from './caught-up.js';

const at = (over: {
  delivered?: number;
  acked?: number;
  pending?: number;
  unacked?: number;
  redelivered?: number;
}): Progress => ({
  num_pending: over.pending ?? 0,
  num_ack_pending: over.unacked ?? 0,
  num_redelivered: over.redelivered ?? 0,
  delivered: { stream_seq: over.delivered ?? 10 },
  ack_floor: { stream_seq: over.acked ?? 10 },
});

describe('how far a consumer is', () => {
  it.each([
    ['an empty stream', 0, at({ delivered: 0, acked: 0 }), 'applied'],
    ['all acknowledged', 10, at({}), 'applied'],
    ['one that no replica fetched yet', 11, at({ pending: 1 }), 'under way'],
    ['one that another replica is applying', 10, at({ acked: 9, unacked: 1 }), 'under way'],
    ['later facts alone are open', 10, at({ delivered: 14, acked: 12, pending: 5, unacked: 2 }), 'applied'],
    ['a fact that failed and waits', 10, at({ acked: 3, unacked: 1, redelivered: 1 }), 'failing'],
    ['a failing one beside a fresh one', 10, at({ acked: 3, unacked: 2, redelivered: 1 }), 'under way'],
    [
      'a failing one before one not fetched yet',
      11,
      at({ acked: 3, pending: 1, unacked: 1, redelivered: 1 }),
      'under way',
    ],
  ])('%s', (_name, target, now, told) => {
    expect(progressTo(target, now)).toBe(told);
  });

  it('aims at what stands in the stream now', () => {
    expect(newestOf(at({ delivered: 7, pending: 5 }))).toBe(12);
  });
});
