// What other modules may use of accounts; they import nothing else of it.

export { nextState, type WorkspaceRow, Workspaces } from './brands/store/workspaces.js';
export type { StoredMandate } from './keys/domain/mandate.js';
export { isNewestSeal, type SealKeys, seal, unseal } from './keys/seal.js';
export { secretIdOf, shownOnce } from './keys/shown-once.js';
export { KeyChanges } from './keys/store/key-changes.js';
export { type KeyChange, Keys, type ListedKey } from './keys/store/keys.js';
export { type MandateFeed, Mandates } from './keys/store/mandates.js';
export { ShownSecrets } from './keys/store/shown-secrets.js';
export type { Accounts } from './module.js';
export { askedIn } from './oauth/asked.js';
export { allow, refuse } from './oauth/decide.js';
export type { SignInPages } from './oauth/routes.js';
export { OAuthServer } from './oauth/server.js';
export { OAuthRows } from './oauth/store/oauth-rows.js';
export { scopesOf } from './people/domain/roles.js';
export type { PeopleModule } from './people/module.js';
export { CHILD_KEY_QUOTA } from './people/quotas.js';
export { webhookDisabled } from './people/texts.js';
export type { MadeWebhooks } from './rights/made-by-member.js';
