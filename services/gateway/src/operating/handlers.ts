import { auditExport } from './audit/operations/audit-export.js';
import { auditList } from './audit/operations/audit-list.js';
import { opsAuditExport } from './audit/operations/ops-audit-export.js';
import { opsAuditList } from './audit/operations/ops-audit-list.js';
import { feedbackSend } from './operations/feedback-send.js';
import { limitsGet } from './operations/limits-get.js';
import { opsChecks } from './operations/ops-checks.js';
import { opsDeadLetterClose } from './operations/ops-dead-letter-close.js';
import { opsDeadLetterRetry } from './operations/ops-dead-letter-retry.js';
import { opsDeadLettersList } from './operations/ops-dead-letters-list.js';
import { opsFeedbackAnswer } from './operations/ops-feedback-answer.js';
import { opsFeedbackList } from './operations/ops-feedback-list.js';
import { opsFeedbackSeen } from './operations/ops-feedback-seen.js';
import { opsJobs } from './operations/ops-jobs.js';
import { opsRepublish } from './operations/ops-republish.js';
import { opsRepublishProgress } from './operations/ops-republish-progress.js';
import { opsSwitchesGet } from './operations/ops-switches-get.js';
import { opsSwitchesPut } from './operations/ops-switches-put.js';
import { opsTaskDone } from './operations/ops-task-done.js';
import { opsTasksList } from './operations/ops-tasks-list.js';

export const operatingHandlers = {
  auditExport,
  auditList,
  feedbackSend,
  limitsGet,
  opsAuditExport,
  opsAuditList,
  opsChecks,
  opsDeadLetterClose,
  opsDeadLetterRetry,
  opsDeadLettersList,
  opsFeedbackAnswer,
  opsFeedbackList,
  opsFeedbackSeen,
  opsJobs,
  opsRepublish,
  opsRepublishProgress,
  opsSwitchesGet,
  opsSwitchesPut,
  opsTaskDone,
  opsTasksList,
};
