import type { AuditKey, Client, Handlers } from '@cds/service';
import type { AuditTrails } from './audit/trails.js';
import type { EventAdmins } from './events/event-admins.js';
import { auditExport } from './operations/audit-export.js';
import { auditList } from './operations/audit-list.js';
import { clientEnd } from './operations/client-end.js';
import { clientsList } from './operations/clients-list.js';
import { creatorApply } from './operations/creator-apply.js';
import type { DevBrandDeps } from './operations/dev-brand-make.js';
import { devBrandMake } from './operations/dev-brand-make.js';
import { eventsList, type FeedDeps } from './operations/events-list.js';
import { eventsStream, type StreamDeps } from './operations/events-stream.js';
import { feedbackSend } from './operations/feedback-send.js';
import { guestContext } from './operations/guest-context.js';
import { guestStatus } from './operations/guest-status.js';
import { keyChange } from './operations/key-change.js';
import { keyDelegate } from './operations/key-delegate.js';
import { keyMake } from './operations/key-make.js';
import { keyMandateRemove } from './operations/key-mandate-remove.js';
import { keyMandateSet } from './operations/key-mandate-set.js';
import { type KeyMandateTryDeps, keyMandateTry } from './operations/key-mandate-try.js';
import { keyReport } from './operations/key-report.js';
import { keyRevoke } from './operations/key-revoke.js';
import { keyTermsAccept } from './operations/key-terms-accept.js';
import { keysList } from './operations/keys-list.js';
import { keysUsage } from './operations/keys-usage.js';
import { type LimitsDeps, limitsGet } from './operations/limits-get.js';
import { meGet } from './operations/me-get.js';
import { memberChange } from './operations/member-change.js';
import { memberInvite } from './operations/member-invite.js';
import { memberRemove, memberRemoveAll } from './operations/member-remove.js';
import { memberRights } from './operations/member-rights.js';
import { membersList } from './operations/members-list.js';
import { opsAuditExport } from './operations/ops-audit-export.js';
import { opsAuditList } from './operations/ops-audit-list.js';
import { opsBrandApprove } from './operations/ops-brand-approve.js';
import { opsBrandDecline } from './operations/ops-brand-decline.js';
import { opsBrandReinstate } from './operations/ops-brand-reinstate.js';
import { opsBrandSuspend } from './operations/ops-brand-suspend.js';
import { opsBrandsList } from './operations/ops-brands-list.js';
import { opsChecks } from './operations/ops-checks.js';
import { opsDeadLetterClose } from './operations/ops-dead-letter-close.js';
import { opsDeadLetterRetry } from './operations/ops-dead-letter-retry.js';
import { opsDeadLettersList } from './operations/ops-dead-letters-list.js';
import { opsFeedbackAnswer } from './operations/ops-feedback-answer.js';
import { opsFeedbackList } from './operations/ops-feedback-list.js';
import { opsFeedbackSeen } from './operations/ops-feedback-seen.js';
import { opsFirstLead } from './operations/ops-first-lead.js';
import { type JobsDeps, opsJobs } from './operations/ops-jobs.js';
import { opsKeyRevoke } from './operations/ops-key-revoke.js';
import { opsKeysList } from './operations/ops-keys-list.js';
import { opsMeGet } from './operations/ops-me-get.js';
import { opsMessagesList } from './operations/ops-messages-list.js';
import { opsOperatorMake } from './operations/ops-operator-make.js';
import { opsOperatorRemove } from './operations/ops-operator-remove.js';
import { opsOperatorsList } from './operations/ops-operators-list.js';
import { opsRepublish } from './operations/ops-republish.js';
import { opsRepublishProgress } from './operations/ops-republish-progress.js';
import { opsSessionEnd } from './operations/ops-session-end.js';
import { opsSessionStart } from './operations/ops-session-start.js';
import { opsSignIn } from './operations/ops-sign-in.js';
import { opsSwitchesGet } from './operations/ops-switches-get.js';
import { opsSwitchesPut } from './operations/ops-switches-put.js';
import { opsTaskDone } from './operations/ops-task-done.js';
import { opsTasksList } from './operations/ops-tasks-list.js';
import { opsTokenMake } from './operations/ops-token-make.js';
import { opsTokenRevoke } from './operations/ops-token-revoke.js';
import { opsTokensList } from './operations/ops-tokens-list.js';
import { relayMessageSent } from './operations/relay-message-sent.js';
import { relayMessagesList } from './operations/relay-messages-list.js';
import { sandboxClock } from './operations/sandbox-clock.js';
import { sandboxClockAdvance } from './operations/sandbox-clock-advance.js';
import { sandboxClockJump } from './operations/sandbox-clock-jump.js';
import { sandboxFaultArm } from './operations/sandbox-fault-arm.js';
import { sandboxFaults } from './operations/sandbox-faults.js';
import { sandboxFaultsClear } from './operations/sandbox-faults-clear.js';
import { sandboxMake } from './operations/sandbox-make.js';
import { sandboxReset } from './operations/sandbox-reset.js';
import { sessionEnd } from './operations/session-end.js';
import { sessionStart } from './operations/session-start.js';
import { sessionWorkspaceSet } from './operations/session-workspace-set.js';
import { sessionsEnd } from './operations/sessions-end.js';
import { signIn } from './operations/sign-in.js';
import { signUp } from './operations/sign-up.js';
import { termsAccept } from './operations/terms-accept.js';
import { termsGet } from './operations/terms-get.js';
import { webhookDeliveries } from './operations/webhook-deliveries.js';
import { webhookEnable } from './operations/webhook-enable.js';
import { webhookMake } from './operations/webhook-make.js';
import { webhookRemove } from './operations/webhook-remove.js';
import { webhookReplay } from './operations/webhook-replay.js';
import { webhookRotate } from './operations/webhook-rotate.js';
import { webhookTest } from './operations/webhook-test.js';
import { webhooksList } from './operations/webhooks-list.js';
import type { PeopleModule } from './people/module.js';
import type { Dependencies } from './public/dependencies.js';
import type { Installation } from './public/installation.js';
import type { MadeWebhooks } from './rights/made-by-member.js';
import type { DueServices } from './sandbox/clock-facts.js';
import type { MoveDeps } from './sandbox/move-clock.js';
import type { ResetDeps } from './sandbox/reset-sandbox.js';
import type { Brands } from './store/brands.js';
import type { Faults } from './store/faults.js';
import type { Feedback } from './store/feedback.js';
import type { KeyVersions } from './store/key-versions.js';
import type { OAuthRows } from './store/oauth-rows.js';
import type { OperatorTokens } from './store/operator-tokens.js';
import type { RequestLogRows } from './store/request-log.js';
import type { RightEnds } from './store/right-ends.js';
import type { ShownSecrets } from './store/shown-secrets.js';
import type { SwitchBoard } from './store/switches.js';
import type { Tasks } from './store/tasks.js';
import type { Usage } from './store/usage.js';
import type { WebhookStore } from './webhooks/deps.js';

/** The dependencies of all of the gateway's own operations. */
export type Deps = Omit<DevBrandDeps, 'planning' | 'billing'> & {
  billing: Client<'terms_current' | 'terms_publish' | 'gate_raise' | 'keys_spent' | 'billing_mandate_try'>;
  proposals: Client<'proposals_mandate_try'>;
  /** The application's root URL. */
  appUrl: string;
  catalog: Client<'creator_applied' | 'guest_quotes_left'> & LimitsDeps['catalog'];
  keyVersions: KeyVersions;
  shownSecrets: ShownSecrets;
  usage: Usage;
  requestLog: RequestLogRows;
  faults: Faults;
  feedback: Feedback;
  shell: StreamDeps['shell'];
  feed: FeedDeps['feed'];
  feedWatch: FeedDeps['feedWatch'];
  feedStreams: StreamDeps['feedStreams'];
  brands: Brands;
  jobs: JobsDeps['jobs'];
  oauthRows: OAuthRows;
  jobReports: JobsDeps['jobReports'];
  operatorTokens: OperatorTokens;
  switches: SwitchBoard;
  dependencies: Dependencies;
  installation: Pick<Installation, 'check'>;
  tasks: Tasks;
  eventAdmins: EventAdmins;
  auditTrails: AuditTrails;
  auditKey: AuditKey;
  planning: Client<'campaign_known' | 'context_set'> & KeyMandateTryDeps['planning'] & LimitsDeps['planning'];
  due: DueServices;
  move: MoveDeps;
  reset: ResetDeps;
  people: PeopleModule;
  hooks: WebhookStore;
  madeWebhooks: MadeWebhooks;
  rightEnds: RightEnds;
};

/** The operations that the gateway runs in its own process. */
export const handlers = {
  auditExport,
  auditList,
  clientEnd,
  clientsList,
  creatorApply,
  devBrandMake,
  eventsList,
  eventsStream,
  feedbackSend,
  guestContext,
  guestStatus,
  opsAuditExport,
  opsAuditList,
  opsBrandApprove,
  opsBrandDecline,
  opsBrandReinstate,
  opsBrandSuspend,
  opsBrandsList,
  opsChecks,
  meGet,
  keyChange,
  keyDelegate,
  keyMake,
  keyMandateRemove,
  keyMandateSet,
  keyReport,
  keyRevoke,
  keyTermsAccept,
  keysList,
  keysUsage,
  limitsGet,
  memberChange,
  memberInvite,
  memberRemove,
  memberRemoveAll,
  memberRights,
  membersList,
  opsFirstLead,
  opsMeGet,
  opsMessagesList,
  opsSessionEnd,
  opsSessionStart,
  opsSignIn,
  keyMandateTry,
  opsDeadLetterRetry,
  opsDeadLetterClose,
  opsDeadLettersList,
  opsFeedbackAnswer,
  opsFeedbackList,
  opsFeedbackSeen,
  opsJobs,
  opsKeyRevoke,
  opsKeysList,
  opsOperatorMake,
  opsOperatorRemove,
  opsOperatorsList,
  opsRepublish,
  opsRepublishProgress,
  opsSwitchesGet,
  opsSwitchesPut,
  opsTaskDone,
  opsTasksList,
  opsTokenMake,
  opsTokenRevoke,
  opsTokensList,
  relayMessageSent,
  relayMessagesList,
  sandboxClock,
  sandboxClockAdvance,
  sandboxClockJump,
  sandboxFaultArm,
  sandboxFaults,
  sandboxFaultsClear,
  sandboxMake,
  sandboxReset,
  sessionEnd,
  sessionStart,
  sessionWorkspaceSet,
  sessionsEnd,
  signIn,
  signUp,
  termsAccept,
  termsGet,
  webhookDeliveries,
  webhookEnable,
  webhookMake,
  webhookRemove,
  webhookReplay,
  webhookRotate,
  webhookTest,
  webhooksList,
} satisfies Handlers<'gateway', Deps>;
