/** A key's nine scopes, in the specification's order (docs/specification.md#authentication); none includes another. */
export const SCOPES = [
  'inventory:read',
  'audience:read',
  'campaigns:read',
  'evidence:read',
  'results:read',
  'brain:read',
  'creators:read',
  'campaigns:write',
  'plans:approve',
] as const;

export type Scope = (typeof SCOPES)[number];

export const READ_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope.endsWith(':read'));
