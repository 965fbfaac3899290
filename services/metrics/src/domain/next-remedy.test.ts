import { describe, expect, it } from '@jest/globals';
import { aBooking, anOrder, aSignedLine } from '../test/builders.js';
import { withOffer, withSigned } from './line.js';
import { nextRemedy } from './next-remedy.js';
import type { Post, PostPlan } from './post.js';
import { afterDue, goLive } from './post-moves.js';
import { followLine } from './post-planning.js';

const at = (instant: string): Date => new Date(instant);
const PLAN: PostPlan = { live_at: at('2026-12-01T12:00:00Z'), disclosing: 'now', gone_after_ms: null };
const HOUR_MS = 3_600_000;

/** A post of a line on 1 December with a plan. */
const planned = (plan: Partial<PostPlan>): Post => {
  const order = anOrder({ lines: [aSignedLine()] });
  const [signed] = order.lines;
  const line = signed === undefined ? null : withOffer(withSigned(null, order, signed), aBooking(order, signed));
  const move = line === null ? null : followLine(null, line);
  if (move === null) throw new Error('a booked line has a post');
  return { ...move.post, plan: { ...PLAN, ...plan } };
};
const live = (plan: Partial<PostPlan>): Post =>
  goLive(planned(plan), at('2026-12-01T12:00:00Z'), { postId: '1', profileUrl: 'https://x.com/demo_ada' }).post;

/** docs/reliability.md#due-facts. */
describe('the earliest remedy of a post', () => {
  it.each<[string, Post, string | null]>([
    ['that will come in time', planned({}), null],
    ['that will not come', planned({ live_at: null }), '2026-12-07T00:00:00.000Z'],
    ['that will be removed', planned({ gone_after_ms: 24 * HOUR_MS }), '2026-12-04T12:00:00.000Z'],
    ['that will not be disclosed', planned({ disclosing: 'never' }), '2026-12-04T13:00:00.000Z'],
    ['that will be disclosed late', planned({ disclosing: 'late' }), null],
    ['that is live', live({}), null],
    ['that is live and will be removed', live({ gone_after_ms: 48 * HOUR_MS }), '2026-12-05T12:00:00.000Z'],
    ['that is live without a disclosure', live({ disclosing: 'never' }), '2026-12-04T13:00:00.000Z'],
    ['that is gone', afterDue(live({}), 'post_gone', at('2026-12-03T12:00:00Z')).post, '2026-12-05T12:00:00.000Z'],
    ['whose line has ended', { ...planned({ live_at: null }), stopped: true }, null],
  ])('%s', (_what, post, remedy) => {
    expect(nextRemedy(post)?.toISOString() ?? null).toBe(remedy);
  });
});
