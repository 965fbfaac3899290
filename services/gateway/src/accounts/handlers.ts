import { devBrandMake } from './brands/operations/dev-brand-make.js';
import { opsBrandApprove } from './brands/operations/ops-brand-approve.js';
import { opsBrandDecline } from './brands/operations/ops-brand-decline.js';
import { opsBrandReinstate } from './brands/operations/ops-brand-reinstate.js';
import { opsBrandSuspend } from './brands/operations/ops-brand-suspend.js';
import { opsBrandsList } from './brands/operations/ops-brands-list.js';
import { sandboxMake } from './brands/operations/sandbox-make.js';
import { keyChange } from './keys/operations/key-change.js';
import { keyDelegate } from './keys/operations/key-delegate.js';
import { keyMake } from './keys/operations/key-make.js';
import { keyMandateRemove } from './keys/operations/key-mandate-remove.js';
import { keyMandateSet } from './keys/operations/key-mandate-set.js';
import { keyMandateTry } from './keys/operations/key-mandate-try.js';
import { keyReport } from './keys/operations/key-report.js';
import { keyRevoke } from './keys/operations/key-revoke.js';
import { keyTermsAccept } from './keys/operations/key-terms-accept.js';
import { keysList } from './keys/operations/keys-list.js';
import { keysUsage } from './keys/operations/keys-usage.js';
import { opsKeyRevoke } from './keys/operations/ops-key-revoke.js';
import { opsKeysList } from './keys/operations/ops-keys-list.js';
import { termsAccept } from './keys/operations/terms-accept.js';
import { termsGet } from './keys/operations/terms-get.js';
import { clientEnd } from './oauth/operations/client-end.js';
import { clientsList } from './oauth/operations/clients-list.js';
import { opsFirstLead } from './operators/operations/ops-first-lead.js';
import { opsMeGet } from './operators/operations/ops-me-get.js';
import { opsOperatorMake } from './operators/operations/ops-operator-make.js';
import { opsOperatorRemove } from './operators/operations/ops-operator-remove.js';
import { opsOperatorsList } from './operators/operations/ops-operators-list.js';
import { opsSessionEnd } from './operators/operations/ops-session-end.js';
import { opsSessionStart } from './operators/operations/ops-session-start.js';
import { opsSignIn } from './operators/operations/ops-sign-in.js';
import { opsTokenMake } from './operators/operations/ops-token-make.js';
import { opsTokenRevoke } from './operators/operations/ops-token-revoke.js';
import { opsTokensList } from './operators/operations/ops-tokens-list.js';
import { creatorApply } from './people/operations/creator-apply.js';
import { meGet } from './people/operations/me-get.js';
import { memberChange } from './people/operations/member-change.js';
import { memberInvite } from './people/operations/member-invite.js';
import { memberRemove, memberRemoveAll } from './people/operations/member-remove.js';
import { memberRights } from './people/operations/member-rights.js';
import { membersList } from './people/operations/members-list.js';
import { opsMessagesList } from './people/operations/ops-messages-list.js';
import { relayMessageSent } from './people/operations/relay-message-sent.js';
import { relayMessagesList } from './people/operations/relay-messages-list.js';
import { sessionEnd } from './people/operations/session-end.js';
import { sessionStart } from './people/operations/session-start.js';
import { sessionWorkspaceSet } from './people/operations/session-workspace-set.js';
import { sessionsEnd } from './people/operations/sessions-end.js';
import { signIn } from './people/operations/sign-in.js';
import { signUp } from './people/operations/sign-up.js';

export const accountsHandlers = {
  clientEnd,
  clientsList,
  creatorApply,
  devBrandMake,
  keyChange,
  keyDelegate,
  keyMake,
  keyMandateRemove,
  keyMandateSet,
  keyMandateTry,
  keyReport,
  keyRevoke,
  keyTermsAccept,
  keysList,
  keysUsage,
  meGet,
  memberChange,
  memberInvite,
  memberRemove,
  memberRemoveAll,
  memberRights,
  membersList,
  opsBrandApprove,
  opsBrandDecline,
  opsBrandReinstate,
  opsBrandSuspend,
  opsBrandsList,
  opsFirstLead,
  opsKeyRevoke,
  opsKeysList,
  opsMeGet,
  opsMessagesList,
  opsOperatorMake,
  opsOperatorRemove,
  opsOperatorsList,
  opsSessionEnd,
  opsSessionStart,
  opsSignIn,
  opsTokenMake,
  opsTokenRevoke,
  opsTokensList,
  relayMessageSent,
  relayMessagesList,
  sandboxMake,
  sessionEnd,
  sessionStart,
  sessionWorkspaceSet,
  sessionsEnd,
  signIn,
  signUp,
  termsAccept,
  termsGet,
};
