import { auditReadOperations } from './audit.js';
import { checkOperations } from './checks.js';
import { childKeyOperations } from './child-keys.js';
import { clientOperations } from './clients.js';
import { creatorApplyOperations } from './creator-apply.js';
import { deadLetterOperations } from './dead-letters.js';
import { devBrandOperations } from './dev-brands.js';
import { feedOperations } from './feed.js';
import { feedbackOperations } from './feedback.js';
import { feedbackInboxOperations } from './feedback-inbox.js';
import { guestOperations } from './guests.js';
import { opsJobOperations } from './jobs.js';
import { keyMandateOperations } from './key-mandates.js';
import { keyUsageOperations } from './key-usage.js';
import { keyOperations } from './keys.js';
import { limitOperations } from './limits.js';
import { mandateWorkbenchOperations } from './mandate-workbench.js';
import { memberOperations } from './members.js';
import { messageOperations } from './messages.js';
import { operatorOperations } from './operators.js';
import { brandOperations } from './ops-brands.js';
import { opsKeyOperations } from './ops-keys.js';
import { opsSessionOperations } from './ops-sessions.js';
import { republishOperations } from './republishing.js';
import { sandboxClockOperations } from './sandbox-clock.js';
import { sandboxFaultOperations } from './sandbox-faults.js';
import { sandboxResetOperations } from './sandbox-resets.js';
import { sandboxOperations } from './sandboxes.js';
import { sessionOperations } from './sessions.js';
import { signUpOperations } from './sign-up.js';
import { switchOperations } from './switches.js';
import { taskOperations } from './tasks.js';
import { tokenOperations } from './tokens.js';
import { webhookOperations } from './webhooks.js';

export const gatewayOperations = {
  ...feedbackOperations,
  ...guestOperations,
  ...feedOperations,
  ...sandboxClockOperations,
  ...sandboxFaultOperations,
  ...sandboxResetOperations,
  ...mandateWorkbenchOperations,
  ...taskOperations,
  ...feedbackInboxOperations,
  ...tokenOperations,
  ...sandboxOperations,
  ...switchOperations,
  ...checkOperations,
  ...opsJobOperations,
  ...operatorOperations,
  ...brandOperations,
  ...opsKeyOperations,
  ...deadLetterOperations,
  ...republishOperations,
  ...auditReadOperations,
  ...sessionOperations,
  ...signUpOperations,
  ...creatorApplyOperations,
  ...memberOperations,
  ...opsSessionOperations,
  ...messageOperations,
  ...devBrandOperations,
  ...keyOperations,
  ...keyMandateOperations,
  ...keyUsageOperations,
  ...limitOperations,
  ...childKeyOperations,
  ...webhookOperations,
  ...clientOperations,
} as const;
