import type { Ctx } from '@cds/service';

/** Who did something, for the audit: an operator, a person, a key, or the system itself. */
export const actorOf = ({ principal }: Ctx): string => {
  if (principal.operator !== undefined) return `operator:${principal.operator.id}`;
  if (principal.person !== undefined) return `person:${principal.person.id}`;
  return principal.key === '' ? 'system' : `key:${principal.key}`;
};
