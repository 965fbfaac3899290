import type { AuditKey, Client, Handlers } from '@cds/service';
import type { AuditTrails } from './operating/audit/trails.js';
import type { EventAdmins } from './operating/event-admins.js';
import { auditExport } from './operating/audit/operations/audit-export.js';
import { auditList } from './operating/audit/operations/audit-list.js';
import { clientEnd } from './accounts/oauth/operations/client-end.js';
import { clientsList } from './accounts/oauth/operations/clients-list.js';
import { creatorApply } from './accounts/people/operations/creator-apply.js';
import type { DevBrandDeps } from './accounts/brands/operations/dev-brand-make.js';
import { devBrandMake } from './accounts/brands/operations/dev-brand-make.js';
import { eventsList, type FeedDeps } from './events/feed/operations/events-list.js';
import { eventsStream, type StreamDeps } from './events/feed/operations/events-stream.js';
import { feedbackSend } from './operating/operations/feedback-send.js';
import { guestContext } from './edge/operations/guest-context.js';
import { guestStatus } from './edge/operations/guest-status.js';
import { keyChange } from './accounts/keys/operations/key-change.js';
import { keyDelegate } from './accounts/keys/operations/key-delegate.js';
import { keyMake } from './accounts/keys/operations/key-make.js';
import { keyMandateRemove } from './accounts/keys/operations/key-mandate-remove.js';
import { keyMandateSet } from './accounts/keys/operations/key-mandate-set.js';
import { type KeyMandateTryDeps, keyMandateTry } from './accounts/keys/operations/key-mandate-try.js';
import { keyReport } from './accounts/keys/operations/key-report.js';
import { keyRevoke } from './accounts/keys/operations/key-revoke.js';
import { keyTermsAccept } from './accounts/keys/operations/key-terms-accept.js';
import { keysList } from './accounts/keys/operations/keys-list.js';
import { keysUsage } from './accounts/keys/operations/keys-usage.js';
import { type LimitsDeps, limitsGet } from './operating/operations/limits-get.js';
import { meGet } from './accounts/people/operations/me-get.js';
import { memberChange } from './accounts/people/operations/member-change.js';
import { memberInvite } from './accounts/people/operations/member-invite.js';
import { memberRemove, memberRemoveAll } from './accounts/people/operations/member-remove.js';
import { memberRights } from './accounts/people/operations/member-rights.js';
import { membersList } from './accounts/people/operations/members-list.js';
import { opsAuditExport } from './operating/audit/operations/ops-audit-export.js';
import { opsAuditList } from './operating/audit/operations/ops-audit-list.js';
import { opsBrandApprove } from './accounts/brands/operations/ops-brand-approve.js';
import { opsBrandDecline } from './accounts/brands/operations/ops-brand-decline.js';
import { opsBrandReinstate } from './accounts/brands/operations/ops-brand-reinstate.js';
import { opsBrandSuspend } from './accounts/brands/operations/ops-brand-suspend.js';
import { opsBrandsList } from './accounts/brands/operations/ops-brands-list.js';
import { opsChecks } from './operating/operations/ops-checks.js';
import { opsDeadLetterClose } from './operating/operations/ops-dead-letter-close.js';
import { opsDeadLetterRetry } from './operating/operations/ops-dead-letter-retry.js';
import { opsDeadLettersList } from './operating/operations/ops-dead-letters-list.js';
import { opsFeedbackAnswer } from './operating/operations/ops-feedback-answer.js';
import { opsFeedbackList } from './operating/operations/ops-feedback-list.js';
import { opsFeedbackSeen } from './operating/operations/ops-feedback-seen.js';
import { opsFirstLead } from './accounts/operators/operations/ops-first-lead.js';
import { type JobsDeps, opsJobs } from './operating/operations/ops-jobs.js';
import { opsKeyRevoke } from './accounts/keys/operations/ops-key-revoke.js';
import { opsKeysList } from './accounts/keys/operations/ops-keys-list.js';
import { opsMeGet } from './accounts/operators/operations/ops-me-get.js';
import { opsMessagesList } from './accounts/people/operations/ops-messages-list.js';
import { opsOperatorMake } from './accounts/operators/operations/ops-operator-make.js';
import { opsOperatorRemove } from './accounts/operators/operations/ops-operator-remove.js';
import { opsOperatorsList } from './accounts/operators/operations/ops-operators-list.js';
import { opsRepublish } from './operating/operations/ops-republish.js';
import { opsRepublishProgress } from './operating/operations/ops-republish-progress.js';
import { opsSessionEnd } from './accounts/operators/operations/ops-session-end.js';
import { opsSessionStart } from './accounts/operators/operations/ops-session-start.js';
import { opsSignIn } from './accounts/operators/operations/ops-sign-in.js';
import { opsSwitchesGet } from './operating/operations/ops-switches-get.js';
import { opsSwitchesPut } from './operating/operations/ops-switches-put.js';
import { opsTaskDone } from './operating/operations/ops-task-done.js';
import { opsTasksList } from './operating/operations/ops-tasks-list.js';
import { opsTokenMake } from './accounts/operators/operations/ops-token-make.js';
import { opsTokenRevoke } from './accounts/operators/operations/ops-token-revoke.js';
import { opsTokensList } from './accounts/operators/operations/ops-tokens-list.js';
import { relayMessageSent } from './accounts/people/operations/relay-message-sent.js';
import { relayMessagesList } from './accounts/people/operations/relay-messages-list.js';
import { sandboxClock } from './sandbox/operations/sandbox-clock.js';
import { sandboxClockAdvance } from './sandbox/operations/sandbox-clock-advance.js';
import { sandboxClockJump } from './sandbox/operations/sandbox-clock-jump.js';
import { sandboxFaultArm } from './sandbox/operations/sandbox-fault-arm.js';
import { sandboxFaults } from './sandbox/operations/sandbox-faults.js';
import { sandboxFaultsClear } from './sandbox/operations/sandbox-faults-clear.js';
import { sandboxMake } from './accounts/brands/operations/sandbox-make.js';
import { sandboxReset } from './sandbox/operations/sandbox-reset.js';
import { sessionEnd } from './accounts/people/operations/session-end.js';
import { sessionStart } from './accounts/people/operations/session-start.js';
import { sessionWorkspaceSet } from './accounts/people/operations/session-workspace-set.js';
import { sessionsEnd } from './accounts/people/operations/sessions-end.js';
import { signIn } from './accounts/people/operations/sign-in.js';
import { signUp } from './accounts/people/operations/sign-up.js';
import { termsAccept } from './accounts/keys/operations/terms-accept.js';
import { termsGet } from './accounts/keys/operations/terms-get.js';
import { webhookDeliveries } from './events/webhooks/operations/webhook-deliveries.js';
import { webhookEnable } from './events/webhooks/operations/webhook-enable.js';
import { webhookMake } from './events/webhooks/operations/webhook-make.js';
import { webhookRemove } from './events/webhooks/operations/webhook-remove.js';
import { webhookReplay } from './events/webhooks/operations/webhook-replay.js';
import { webhookRotate } from './events/webhooks/operations/webhook-rotate.js';
import { webhookTest } from './events/webhooks/operations/webhook-test.js';
import { webhooksList } from './events/webhooks/operations/webhooks-list.js';
import type { PeopleModule } from './accounts/people/module.js';
import type { Dependencies } from './operating/dependencies.js';
import type { Installation } from './operating/installation.js';
import type { MadeWebhooks } from './accounts/rights/made-by-member.js';
import type { DueServices } from './sandbox/clock-facts.js';
import type { MoveDeps } from './sandbox/move-clock.js';
import type { ResetDeps } from './sandbox/reset-sandbox.js';
import type { Brands } from './accounts/brands/store/brands.js';
import type { Faults } from './sandbox/store/faults.js';
import type { Feedback } from './operating/store/feedback.js';
import type { KeyVersions } from './accounts/keys/store/key-versions.js';
import type { OAuthRows } from './accounts/oauth/store/oauth-rows.js';
import type { OperatorTokens } from './accounts/operators/store/operator-tokens.js';
import type { RequestLogRows } from './edge/store/request-log.js';
import type { RightEnds } from './accounts/rights/store/right-ends.js';
import type { ShownSecrets } from './accounts/keys/store/shown-secrets.js';
import type { SwitchBoard } from './operating/store/switches.js';
import type { Tasks } from './operating/store/tasks.js';
import type { Usage } from './edge/store/usage.js';
import type { WebhookStore } from './events/webhooks/deps.js';

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
