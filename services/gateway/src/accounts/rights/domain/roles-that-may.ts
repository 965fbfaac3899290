import { BRAND_ROLES, type BrandRole, hasRole, type OperationName, operationByName } from '@cds/contracts';

/** What ends with the member who made it, with the operation that makes it: its role is the one required. */
const TAKES = { client: 'key_make', invitation: 'member_invite' } as const satisfies Record<string, OperationName>;

export const rolesThatMay = (made: keyof typeof TAKES): BrandRole[] =>
  BRAND_ROLES.filter((role) => hasRole(role, operationByName(TAKES[made])?.atLeast ?? 'owner'));
