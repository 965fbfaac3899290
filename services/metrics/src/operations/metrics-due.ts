import type { AdvanceClock, ReadHandler, WriteHandler } from '@cds/service';
import { nextRemedy } from '../domain/next-remedy.js';
import { dueFactsOf } from '../domain/post.js';
import type { Posts } from '../store/posts.js';

const SHOWN = 50;

const ASKED = 2_000;

/**
 * `stop_at` is the next remedy, after which proposals may search. No post gets its remedy before its next fact is due,
 * so of more posts than are asked the last one's fact comes first. Source: docs/domain/sandbox.md#sandbox.
 */
export const metricsDue: ReadHandler<'metrics_due', { posts: Posts }> = async (_ctx, input, { posts }) => {
  const [pending, waiting] = await Promise.all([
    posts.pending(input.workspace, SHOWN),
    posts.waiting(input.workspace, ASKED),
  ]);

  const facts = pending.flatMap(dueFactsOf).sort((one, other) => one.at.getTime() - other.at.getTime());

  const unasked = waiting.length < ASKED ? null : (waiting.at(-1)?.due_at ?? null);
  const remedies = [...waiting.map(nextRemedy), unasked].flatMap((at) => at?.getTime() ?? []);
  return {
    pending: facts.slice(0, SHOWN).map(({ kind, at }) => ({ kind, due_at: at.toISOString() })),
    stop_at: remedies.length === 0 ? null : new Date(Math.min(...remedies)).toISOString(),
  };
};

/** Source: docs/reliability.md#clocks, docs/domain/sandbox.md#sandbox. */
export const metricsClockSet: WriteHandler<'metrics_clock_set', { advanceClock: AdvanceClock }> = (ctx, input, deps) =>
  deps.advanceClock(input.workspace, input.offset_ms, ctx.deadline);
