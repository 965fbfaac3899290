import type { WriteHandler } from '@cds/service';
import { verdictOf } from '../present/verdict.js';
import { NOTHING_SIGNED, type SignVerdicts } from '../store/sign-verdicts.js';

/** Answers the verdict in force; a late sign request finds it closed. Source: docs/reliability.md#signing; I56. */
export const planSignClose: WriteHandler<'plan_sign_close', { verdicts: SignVerdicts }> = async (ctx, input, deps) => {
  const verdict = await deps.verdicts.settle(
    {
      ...NOTHING_SIGNED,
      _id: input.signing_id,
      ws: input.workspace,
      kind: 'closed',
      lines: [],
      created_at: ctx.networkNow,
    },
    ctx.deadline,
  );

  return verdictOf(verdict);
};
