import {
  AppError,
  type BrandRole,
  hasRole,
  mayOperate,
  type OperationDeclaration,
  type Principal,
} from '@cds/contracts';
import type { Caller } from '../callers.js';
import { EdgeRefusal } from '../http/refusal.js';

/** Step 6: the workspace is not suspended (docs/domain/access.md#workspaces). */
export const checkSuspension = ({ suspended }: Pick<Caller, 'suspended'>): void => {
  if (suspended)
    throw new AppError(
      'forbidden',
      'This workspace is suspended. Paid orders continue. Contact the team to have the workspace reinstated.',
    );
};

const scopeChallenge = (scope: string): string => `Bearer error="insufficient_scope", scope="${scope}"`;

const rolesOf = ({ role = 'lead' }: OperationDeclaration): string => {
  if (role === 'everyone') return 'viewer, network, fulfilment, finance, lead';
  if (role === 'writer') return 'network, fulfilment, finance, lead';
  return role === 'lead' ? role : `${role}, lead`;
};

/** The lowest role that may call: the declared one, or admin for what changes a sandbox. */
const roleFor = ({ audience, effect, atLeast }: OperationDeclaration): BrandRole =>
  atLeast ?? (audience === 'sandbox' && effect === 'write' ? 'admin' : 'viewer');

const checkRole = (operation: OperationDeclaration, { person }: Principal): void => {
  const atLeast = roleFor(operation);
  if (person === undefined || hasRole(person.role, atLeast)) return;
  throw new AppError(
    'forbidden',
    `Your role in this workspace, ${person.role}, may not do this. It takes ${atLeast}: ask an owner of the brand.`,
    { role: person.role, at_least: atLeast },
  );
};

/** Step 7: the scope of a key, the role of a person or operator, and a sandbox's key for its operations. */
export const checkScope = (operation: OperationDeclaration, principal: Principal): void => {
  const { scope, audience } = operation;
  checkRole(operation, principal);
  if (scope !== null && scope !== 'any' && !principal.scopes.includes(scope))
    throw new EdgeRefusal(
      'forbidden',
      `This key lacks the scope ${scope}. Use a key that has it, or ask an admin of the brand to add it in Developers.`,
      { scope },
      { 'WWW-Authenticate': scopeChallenge(scope) },
    );
  if (audience === 'operator' && (principal.operator === undefined || !mayOperate(principal.operator.role, operation)))
    throw new AppError(
      'forbidden',
      `The role of this token may not call ${operation.name}. Use a token with one of these roles: ${rolesOf(operation)}.`,
    );
  if (audience === 'sandbox' && !principal.sandbox)
    throw new AppError(
      'forbidden',
      'Available only in sandbox workspaces. Use a test key (cds_test_); an admin of the brand makes a sandbox in Developers.',
    );
};
