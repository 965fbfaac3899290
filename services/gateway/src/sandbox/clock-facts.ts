import type { DueFact, Output } from '@cds/contracts';
import type { Client, Ctx } from '@cds/service';
import { earliestFacts } from './domain/clock.js';

export type DueServices = Client<'billing_due' | 'proposals_due' | 'metrics_due'>;

/** What is due next in a sandbox, across all services, the earliest first. */
export const pendingFacts = async (ctx: Ctx, services: DueServices): Promise<DueFact[]> => {
  const asked = { workspace: ctx.principal.workspace };
  const lists = await Promise.all([
    services.billing_due(ctx, asked),
    services.proposals_due(ctx, asked),
    services.metrics_due(ctx, asked),
  ]);
  return earliestFacts(lists.map((list) => list.pending));
};

export const presentClock = (networkNow: Date, offsetMs: number, pending: DueFact[]): Output<'sandbox_clock'> => ({
  now: new Date(networkNow.getTime() + offsetMs).toISOString(),
  offset_seconds: Math.floor(offsetMs / 1_000),
  pending,
});
