import { BRAND_ROLES, type BrandRole, hasRole, type OperationName, operationByName } from '@cds/contracts';

// What happens to everything that was made with a right, once that right ends or is reduced
// (docs/domain/access.md#rights, I72).

/** What ends with the member who made it, with the operation that makes it: its role is the one required. */
const TAKES = { client: 'key_make', invitation: 'member_invite' } as const satisfies Record<string, OperationName>;

export const rolesThatMay = (made: keyof typeof TAKES): BrandRole[] =>
  BRAND_ROLES.filter((role) => hasRole(role, operationByName(TAKES[made])?.atLeast ?? 'owner'));

/** `narrows` to what its source may still do; `refused` while the cause lasts; `stays`, with who can end it. */
type Fate = 'ends' | 'narrows' | 'refused' | { stays: string };

/** How a source ends or is reduced, in words. */
export const CAUSES = {
  'member removed': 'the person is removed',
  'member invited again': 'it stays ended when they are invited again',
  'member lowered': 'the person gets a lower role',
  'session ended': 'the session ends',
  'client ended': 'the client ends',
  'client expired': 'the client expires',
  'key revoked': 'the key is revoked',
  'key expired': 'the key expires',
  'key reduced': 'the key loses scopes',
  'mandate reduced': 'its mandate is lowered',
  'delegation taken': 'the key may no longer make child keys',
  'brand suspended': 'the brand is suspended',
  'brand declined': 'the brand is declined',
  'operator removed': 'the operator is removed',
  'operator taken back': 'it stays ended when they are added again',
  'token revoked': 'the token is revoked',
  'token expired': 'the token expires',
} as const;
export type Cause = keyof typeof CAUSES;

type Derived = { right: string; madeBy: string; fates: Partial<Record<Cause, Fate>> };

const BRANDS = 'it belongs to the brand: the answer and the page list it, and end it with the member on request';

const PEOPLE = 'they belong to the brand: the answer and the page list them, and an owner removes each';

/** Every right made with another (docs/domain/access.md#rights shows this table); a cause not listed does not apply. */
export const DERIVED_RIGHTS = {
  session: {
    right: "a person's session",
    madeBy: 'the person and the member',
    fates: {
      'member removed': 'ends',
      'member invited again': 'ends',
      'member lowered': 'narrows',
      'session ended': 'ends',
      'brand suspended': 'refused',
    },
  },
  signInLink: {
    right: 'a sign-in link',
    madeBy: 'the address and the time',
    fates: {
      'member removed': 'ends',
      'member invited again': 'ends',
      'member lowered': 'narrows',
      'brand declined': 'ends',
    },
  },
  invitation: {
    right: 'an invitation that nobody accepted',
    madeBy: 'the owner who sent it',
    fates: { 'member removed': 'ends', 'member lowered': 'ends', 'brand suspended': 'refused' },
  },
  member: {
    right: 'a member whom an owner invited',
    madeBy: 'the owner who invited them',
    fates: { 'member removed': { stays: PEOPLE }, 'member lowered': { stays: PEOPLE }, 'brand suspended': 'refused' },
  },
  client: {
    right: 'a signed-in client, with its tokens',
    madeBy: 'the member, the session and the key',
    fates: {
      'member removed': 'ends',
      'member invited again': 'ends',
      'member lowered': 'ends',
      'session ended': {
        stays: 'it works while its person is away: the page of its key, or the client itself, ends it',
      },
      'client ended': 'ends',
      'client expired': 'ends',
      'key revoked': 'ends',
      'key expired': 'ends',
      'key reduced': 'narrows',
      'mandate reduced': 'narrows',
      'brand suspended': 'refused',
    },
  },
  consent: {
    right: "a client's unfinished sign-in",
    madeBy: 'the member and the session',
    fates: { 'member removed': 'ends', 'member lowered': 'ends', 'session ended': 'ends', 'key revoked': 'ends' },
  },
  key: {
    right: 'a key, live or test',
    madeBy: 'the person',
    fates: {
      'member removed': { stays: BRANDS },
      'member lowered': { stays: BRANDS },
      'brand suspended': 'refused',
    },
  },
  childKey: {
    right: 'a child key',
    madeBy: 'the key, and the client that acted as it',
    fates: {
      'member removed': 'ends',
      'member lowered': 'ends',
      'client ended': 'ends',
      'client expired': 'ends',
      'key revoked': 'ends',
      'key expired': 'ends',
      'key reduced': 'narrows',
      'mandate reduced': 'narrows',
      'delegation taken': { stays: 'the box only stops new ones: an admin revokes the others in the list of keys' },
      'brand suspended': 'refused',
    },
  },
  webhook: {
    right: 'a webhook endpoint',
    madeBy: 'the person',
    fates: {
      'member removed': { stays: BRANDS },
      'member lowered': { stays: BRANDS },
      'brand suspended': 'refused',
    },
  },
  stream: {
    right: 'an open stream or wait',
    madeBy: 'the session, key or client',
    fates: {
      'member removed': 'ends',
      'session ended': 'ends',
      'client ended': 'ends',
      'client expired': 'ends',
      'key revoked': 'ends',
      'key expired': 'ends',
      'key reduced': 'ends',
      'brand suspended': 'ends',
    },
  },
  operatorSession: {
    right: "an operator's session",
    madeBy: 'the person',
    fates: { 'operator removed': 'ends', 'operator taken back': 'ends', 'session ended': 'ends' },
  },
  operatorLink: {
    right: "an operator's sign-in link",
    madeBy: 'the address and the time',
    fates: { 'operator removed': 'ends', 'operator taken back': 'ends' },
  },
  operatorToken: {
    right: 'an operator token',
    madeBy: 'the lead, and each token between the lead and this one',
    fates: {
      'operator removed': 'ends',
      'operator taken back': 'ends',
      'token revoked': 'ends',
      'token expired': 'ends',
    },
  },
  operator: {
    right: 'a member of the team',
    madeBy: 'the lead or token that added them',
    fates: {
      'operator removed': { stays: 'they belong to the team: the answer lists them, and a lead removes them' },
      'token revoked': { stays: 'as when an operator is removed' },
    },
  },
} as const satisfies Record<string, Derived>;
