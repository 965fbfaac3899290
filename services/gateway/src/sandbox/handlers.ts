import { sandboxClock } from './operations/sandbox-clock.js';
import { sandboxClockAdvance } from './operations/sandbox-clock-advance.js';
import { sandboxClockJump } from './operations/sandbox-clock-jump.js';
import { sandboxFaultArm } from './operations/sandbox-fault-arm.js';
import { sandboxFaults } from './operations/sandbox-faults.js';
import { sandboxFaultsClear } from './operations/sandbox-faults-clear.js';
import { sandboxReset } from './operations/sandbox-reset.js';

export const sandboxHandlers = {
  sandboxClock,
  sandboxClockAdvance,
  sandboxClockJump,
  sandboxFaultArm,
  sandboxFaults,
  sandboxFaultsClear,
  sandboxReset,
};
