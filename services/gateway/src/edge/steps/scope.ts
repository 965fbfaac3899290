import { AppError, mayOperate, type OperationDeclaration, type Principal } from '@cds/contracts';
import { EdgeRefusal } from '../http/refusal.js';

/** Check 6: a suspended brand's keys open nothing (domain 4-doors 3.3). */
export const suspendedStage = (suspended: boolean): void => {
  if (suspended)
    throw new AppError(
      'forbidden',
      'This workspace is suspended. Paid orders run on; write to the team to have it reinstated.',
    );
};

/** The challenge of a missing scope (domain 4-doors 11). */
export const scopeChallenge = (scope: string): string => `Bearer error="insufficient_scope", scope="${scope}"`;

const rolesOf = ({ role = 'lead' }: OperationDeclaration): string =>
  role === 'writer' ? 'network, fulfilment, finance' : role;

/** Check 7: the key carries the operation's scope, an operator has its role, and a sandbox operation belongs to a sandbox. */
export const scopeStage = (operation: OperationDeclaration, principal: Principal): void => {
  const { scope, audience } = operation;
  if (scope !== null && scope !== 'any' && !principal.scopes.includes(scope))
    throw new EdgeRefusal(
      'forbidden',
      `This key lacks the scope ${scope}. Use a key that has it, or have an admin of the brand add it in Developers.`,
      { scope },
      { 'WWW-Authenticate': scopeChallenge(scope) },
    );
  if (audience === 'operator' && (principal.operator === undefined || !mayOperate(principal.operator.role, operation)))
    throw new AppError('forbidden', `This token's role may not do that; it takes ${rolesOf(operation)} or lead.`);
  if (audience === 'sandbox' && !principal.sandbox)
    throw new AppError(
      'forbidden',
      'This belongs to sandbox workspaces only. Use a test key (cds_test_) of a sandbox.',
    );
};
