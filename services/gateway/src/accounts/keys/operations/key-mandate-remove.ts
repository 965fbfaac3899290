import { RecordedOutcome, type WriteHandler } from '@cds/service';
import { type ChangeKeyDeps, changeKey, mustBeActive, mustNotBeChild, raiseGate } from '../change-key.js';

/**
 * Removes the mandate of a key. That is a version without limits, so that the numbering continues; a key without a
 * mandate stays as it is. Raises not_found, unavailable while billing is. Source: docs/domain/orders.md#mandate.
 */
export const keyMandateRemove: WriteHandler<'key_mandate_remove', ChangeKeyDeps> = async (ctx, { id }, deps) => {
  const outcome = await changeKey(ctx, { operation: 'key_mandate_remove', keyId: id, status: 204 }, deps, (key) => {
    mustBeActive(key);
    mustNotBeChild(key);
    return key.mandate === null ? { answer: null } : { answer: null, mandate: { cause: 'removed', mandate: null } };
  });
  if (outcome.ok) await raiseGate(ctx, id, deps);

  return new RecordedOutcome(outcome);
};
