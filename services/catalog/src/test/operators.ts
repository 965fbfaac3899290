import type { OperatorRole } from '@cds/contracts';
import { Change, type Ctx, inTx, type Store } from '@cds/service';
import { aRequest } from './network.js';

/** The request of an operator at the test's time. */
export const anOperatorRequest = (id = 'op-1', role: OperatorRole = 'network'): Ctx => {
  const ctx = aRequest();
  const operator = { id, name: 'Ola', role };
  return { ...ctx, principal: { ...ctx.principal, audience: 'operator', workspace: '', operator } };
};

/** What a write decided. */
export const changeIn = (decided: unknown): Change<unknown> => {
  if (!(decided instanceof Change)) throw new Error('a write is a change');
  return decided;
};

/** Saves what a write decided, as the shell does, up to what follows the commit. */
export const saved = async (store: Store, decided: unknown): Promise<Change<unknown>> => {
  const change = changeIn(decided);
  await inTx(store, aRequest().deadline, (tx) => change.parts.save(tx));
  return change;
};
