import type { Client, Handlers } from '@cds/service';
import type { EventAdmins } from './events/event-admins.js';
import type { DevBrandDeps } from './operations/dev-brand-make.js';
import { devBrandMake } from './operations/dev-brand-make.js';
import { feedbackSend } from './operations/feedback-send.js';
import { opsDeadLetterRetry } from './operations/ops-dead-letter-retry.js';
import { opsDeadLettersList } from './operations/ops-dead-letters-list.js';
import { opsOperatorMake } from './operations/ops-operator-make.js';
import { opsOperatorRevoke } from './operations/ops-operator-revoke.js';
import { opsOperatorsList } from './operations/ops-operators-list.js';
import { opsRepublish } from './operations/ops-republish.js';
import { opsRepublishProgress } from './operations/ops-republish-progress.js';
import { opsTaskDone } from './operations/ops-task-done.js';
import { opsTasksList } from './operations/ops-tasks-list.js';
import { sandboxClock } from './operations/sandbox-clock.js';
import { sandboxClockAdvance } from './operations/sandbox-clock-advance.js';
import { sandboxClockJump } from './operations/sandbox-clock-jump.js';
import type { DueServices } from './sandbox/clock-facts.js';
import type { MoveDeps } from './sandbox/move-clock.js';
import type { Feedback } from './store/feedback.js';
import type { Operators } from './store/operators.js';
import type { Tasks } from './store/tasks.js';

/** The dependencies of all of the gateway's own operations. */
export type Deps = Omit<DevBrandDeps, 'planning'> & {
  feedback: Feedback;
  operators: Operators;
  tasks: Tasks;
  eventAdmins: EventAdmins;
  planning: Client<'campaign_known' | 'context_set'>;
  due: DueServices;
  move: MoveDeps;
};

/** The operations that the gateway runs in its own process. */
export const handlers = {
  devBrandMake,
  feedbackSend,
  opsDeadLetterRetry,
  opsDeadLettersList,
  opsOperatorMake,
  opsOperatorRevoke,
  opsOperatorsList,
  opsRepublish,
  opsRepublishProgress,
  opsTaskDone,
  opsTasksList,
  sandboxClock,
  sandboxClockAdvance,
  sandboxClockJump,
} satisfies Handlers<'gateway', Deps>;
