import { type BrandRole, hasRole, SCOPES, type Scope } from '@cds/contracts';

/** The role that a scope needs, if it allows more than reading (docs/domain/access.md#roles). */
const TAKES: Partial<Record<Scope, BrandRole>> = { 'campaigns:write': 'member', 'plans:approve': 'admin' };

export const scopesOf = (role: BrandRole): Scope[] => SCOPES.filter((scope) => hasRole(role, TAKES[scope] ?? 'viewer'));

export const maySign = (role: BrandRole): boolean => scopesOf(role).includes('plans:approve');
