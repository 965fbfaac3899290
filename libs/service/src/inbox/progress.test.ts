import { describe, expect, it } from '@jest/globals';
import { newestOf, type Progress, progressTo } from './progress.js';

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

describe('the progress of a consumer', () => {
  it.each([
    ['an empty stream', 0, at({ delivered: 0, acked: 0 }), 'applied'],
    ['all acknowledged', 10, at({}), 'applied'],
    ['one that no replica fetched yet', 11, at({ pending: 1 }), 'pending'],
    ['one that another replica is applying', 10, at({ acked: 9, unacked: 1 }), 'pending'],
    ['only later events are pending', 10, at({ delivered: 14, acked: 12, pending: 5, unacked: 2 }), 'applied'],
    ['an event that failed and waits', 10, at({ acked: 3, unacked: 1, redelivered: 1 }), 'failing'],
    ['a failing one beside a fresh one', 10, at({ acked: 3, unacked: 2, redelivered: 1 }), 'pending'],
    [
      'a failing one before one not fetched yet',
      11,
      at({ acked: 3, pending: 1, unacked: 1, redelivered: 1 }),
      'pending',
    ],
  ])('%s', (_name, target, now, expected) => {
    expect(progressTo(target, now)).toBe(expected);
  });

  it('targets the newest event in the stream', () => {
    expect(newestOf(at({ delivered: 7, pending: 5 }))).toBe(12);
  });
});
