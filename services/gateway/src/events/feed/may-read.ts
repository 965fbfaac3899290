import type { Principal, Scope } from '@cds/contracts';
import { type Keys, type OAuthRows, type PeopleModule, scopesOf } from '../../accounts/port.js';

export type CallerDeps = {
  keys: Pick<Keys, 'activeInForce'>;
  oauthRows: Pick<OAuthRows, 'stands'>;
  people: Pick<PeopleModule, 'admission'>;
};

/** Whether a caller may still read what it could when its request began, by the checks that admit a new request. */
export const mayRead = async (principal: Principal, deps: CallerDeps): Promise<boolean> => {
  const now = await (principal.person === undefined ? keyNow(principal, deps) : personNow(principal, deps));
  return now !== null && !now.suspended && principal.scopes.every((scope) => now.scopes.includes(scope));
};

type Now = { scopes: readonly Scope[]; suspended: boolean };

/** A key within its parent; null once either has ended, or a client that acts as the key or made it. */
const keyNow = async (
  { workspace, key, parent, grant }: Principal,
  { keys, oauthRows }: CallerDeps,
): Promise<Now | null> => {
  const found = await keys.activeInForce(workspace, key, parent?.key);
  const clients = [grant, found?.made_by_grant].filter((id) => typeof id === 'string');
  const standing = await Promise.all(clients.map((id) => oauthRows.stands(id, 'read')));
  return standing.every(Boolean) ? found : null;
};

/** A person with their current role; null once the session has ended or is in another workspace. */
const personNow = async ({ workspace, person }: Principal, { people }: CallerDeps): Promise<Now | null> => {
  const found = person?.session === undefined ? null : await people.admission.again(person.session);
  if (found === null || found.ownKey.ws !== workspace) return null;
  return { scopes: scopesOf(found.member.role), suspended: found.ownKey.suspended };
};
