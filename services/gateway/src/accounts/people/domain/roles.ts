import { type BrandRole, hasRole, SCOPES, type Scope } from '@cds/contracts';

/** The role that a scope needs, if it allows more than reading (docs/domain/access.md#roles). */
const TAKES: Partial<Record<Scope, BrandRole>> = { 'campaigns:write': 'member', 'plans:approve': 'admin' };

/** The scopes of a person's session on the API (docs/domain/access.md#roles). */
export const scopesOf = (role: BrandRole): Scope[] => SCOPES.filter((scope) => hasRole(role, TAKES[scope] ?? 'viewer'));

/** Whether a person of this role signs plans. */
export const maySign = (role: BrandRole): boolean => scopesOf(role).includes('plans:approve');
