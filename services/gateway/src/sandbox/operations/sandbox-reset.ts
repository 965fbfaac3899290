import { change, type WriteHandler } from '@cds/service';
import { beginReset, type ResetDeps, runReset } from '../reset-sandbox.js';

/**
 * Removes what a sandbox holds and gives its creators a seed; keys, mandates, clock, limits, logs and audit stay.
 * Raises unavailable while another reset runs, or when this one takes longer than the request may. Source:
 * docs/domain/sandbox.md#reset.
 */
export const sandboxReset: WriteHandler<'sandbox_reset', { reset: ResetDeps }> = async (ctx, { seed }, { reset }) => {
  const begun = await beginReset(ctx, seed, reset);

  const endedAt = await runReset(ctx, begun, reset);

  const { number, seed: given } = begun;
  return change({ number, seed: given, reset_at: endedAt.toISOString() }, { save: async () => undefined });
};
