import type { RowRunner, Shell, Sweep } from '@cds/service';
import type { GatewayConfig } from '../config.js';
import { type Edge, Quotas, type Windows } from '../edge/port.js';
import { callersOf } from './admission/callers.js';
import { Brands } from './brands/store/brands.js';
import { Workspaces } from './brands/store/workspaces.js';
import { pendingKeyChanges } from './keys/pending-key-changes.js';
import { KeyAdmission } from './keys/store/key-admission.js';
import { KeyChanges } from './keys/store/key-changes.js';
import { KeyVersions } from './keys/store/key-versions.js';
import { Keys } from './keys/store/keys.js';
import { type MandateFeed, Mandates } from './keys/store/mandates.js';
import { ShownSecrets } from './keys/store/shown-secrets.js';
import { OAuthServer } from './oauth/server.js';
import { OAuthRows } from './oauth/store/oauth-rows.js';
import { OperatorTokens } from './operators/store/operator-tokens.js';
import { Mail, mailSweep } from './people/mail.js';
import { peopleModule } from './people/module.js';
import { printing } from './people/printing.js';
import { endedRights } from './rights/ended-rights.js';
import { callerHolder } from './rights/hold-caller.js';
import { pendingRightEnds } from './rights/pending-right-ends.js';
import { RightEnds } from './rights/store/right-ends.js';

export { isTokenPath, oauthError, oauthRoutes } from './oauth/routes.js';
export { printFirstLead } from './people/printing.js';
export { republished } from './republished.js';

/** What accounts keeps. From here on, a write commits only while its caller may still make it. */
export const accountsOf = (shell: Shell<'gateway'>, config: GatewayConfig, windows: Windows, feed: MandateFeed) => {
  const { store, calls } = shell;
  const keys = new Keys(store);
  const workspaces = new Workspaces(store);
  const mandates = new Mandates(store, feed);
  const rightEnds = new RightEnds(store, keys, workspaces, calls);
  const operatorTokens = new OperatorTokens(store, config.CDS_KEY_PEPPERS);
  const people = peopleModule(
    store,
    { appUrl: config.CDS_APP_URL, sealKeys: config.CDS_SEAL_KEYS, queued: printing(shell) },
    { workspaces, keys, mandates, windows, quotas: new Quotas(store) },
  );
  shell.holdCaller = callerHolder({ ...people, operatorTokens });
  return {
    keys,
    keyChanges: new KeyChanges(store, keys, windows, mandates, rightEnds),
    rightEnds,
    workspaces,
    keyVersions: new KeyVersions(store),
    shownSecrets: new ShownSecrets(store, config.CDS_SEAL_KEYS),
    brands: new Brands(store),
    oauthRows: new OAuthRows(store),
    operatorTokens,
    mandates,
    peppers: config.CDS_KEY_PEPPERS,
    people,
  };
};
export type Accounts = ReturnType<typeof accountsOf>;

export const callersFor = (
  { keys, oauthRows, operatorTokens, people: { operators, admission } }: Accounts,
  config: GatewayConfig,
  windows: Windows,
): Edge['callers'] =>
  callersOf({
    appUrl: config.CDS_APP_URL,
    opsToken: config.CDS_OPS_TOKEN,
    keys: new KeyAdmission(keys, windows, config.CDS_KEY_PEPPERS),
    oauthRows,
    operatorTokens,
    operators,
    admission,
    windows,
  });

export const signInServer = (accounts: Accounts, shell: Shell<'gateway'>, { CDS_APP_URL }: GatewayConfig) =>
  new OAuthServer(CDS_APP_URL, accounts, shell);

/** The delivery of mail; null when the mail relay fetches messages. */
export const mailOf = ({ people }: Accounts, { log }: Shell<'gateway'>, config: GatewayConfig): Mail | null =>
  config.CDS_SMTP_URL === ''
    ? null
    : new Mail(
        people.messages,
        { smtpUrl: config.CDS_SMTP_URL, from: config.CDS_MAIL_FROM, appUrl: config.CDS_APP_URL },
        log,
      );

export const accountsSweeps = (
  accounts: Accounts,
  shell: Shell<'gateway'>,
  mail: Mail | null,
  rows: () => RowRunner,
): Sweep[] => [
  pendingKeyChanges(accounts.keyChanges, rows()),
  pendingRightEnds(accounts.rightEnds, rows()),
  ...(mail === null ? [] : [mailSweep(mail)]),
  endedRights({ ...accounts, shell }, rows()),
];
