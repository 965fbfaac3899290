import type { DueFactKind } from '@cds/contracts';
import type { AdvanceClock, ReadHandler, WriteHandler } from '@cds/service';
import type { SandboxSessions } from '../rails/sandbox/sandbox-sessions.js';
import type { Orders } from '../store/orders.js';

const SHOWN = 50;

/** Earliest first: ends of unpaid orders and delayed payments (docs/domain/sandbox.md#sandbox). */
export const billingDue: ReadHandler<'billing_due', { orders: Orders; sessions: SandboxSessions }> = async (
  _ctx,
  { workspace },
  { orders, sessions },
) => {
  const [ends, settlements] = await Promise.all([
    orders.unpaidEnds(workspace, SHOWN),
    sessions.settlements(workspace, SHOWN),
  ]);

  const facts = [
    ...ends.map((at) => ({ kind: 'unpaid_end' satisfies DueFactKind, due_at: at.toISOString() })),
    ...settlements.map((at) => ({ kind: 'payment_settles' satisfies DueFactKind, due_at: at.toISOString() })),
  ];
  return { pending: facts.sort((one, other) => (one.due_at < other.due_at ? -1 : 1)).slice(0, SHOWN) };
};

/** Source: docs/reliability.md#clocks, docs/domain/sandbox.md#sandbox. */
export const billingClockSet: WriteHandler<'billing_clock_set', { advanceClock: AdvanceClock }> = (ctx, input, deps) =>
  deps.advanceClock(input.workspace, input.offset_ms, ctx.deadline);
