import { type Mandate, unprocessable } from '@cds/contracts';
import type { Client, WriteHandler } from '@cds/service';
import { type ChangeKeyDeps, changeKey, completed, mustBeActive, mustNotBeChild, raiseGate } from '../change-key.js';
import { mandateProblems, nextMandate } from '../domain/mandate.js';
import { spentBy } from '../key-use.js';
import { presentMandate } from '../present-key.js';

/**
 * Sets the mandate of a key for a person. The new version commits with its event; the key and billing's gate follow
 * before the answer, so that no later approval uses an older version (docs/reliability.md#authority). Amounts are
 * integer US cents. Raises not_found, unprocessable, unavailable while billing is. Source:
 * docs/domain/orders.md#mandate.
 */
export const keyMandateSet: WriteHandler<
  'key_mandate_set',
  ChangeKeyDeps & { billing: Client<'gate_raise' | 'keys_spent'> }
> = async (ctx, { id, ...input }, deps) => {
  const outcome = await changeKey(ctx, { operation: 'key_mandate_set', keyId: id }, deps, (key) => {
    mustBeActive(key);
    mustNotBeChild(key);
    const problems = mandateProblems(key, input, ctx.now);
    if (problems.length > 0) throw unprocessable(problems);
    const mandate = nextMandate(key, input, ctx.now);
    return { answer: presentMandate(key.key_id, mandate, 0), mandate: { cause: 'set', mandate } };
  });
  if (outcome.ok) await raiseGate(ctx, id, deps);

  return completed<Mandate>(outcome, async (mandate) => ({
    ...mandate,
    spent_this_month_cents: (await spentBy(ctx, [{ key_id: id, parent: null }], deps.billing)).get(id) ?? 0,
  }));
};
