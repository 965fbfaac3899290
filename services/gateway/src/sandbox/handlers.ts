export { sandboxClock } from './operations/sandbox-clock.js';
export { sandboxClockAdvance } from './operations/sandbox-clock-advance.js';
export { sandboxClockJump } from './operations/sandbox-clock-jump.js';
export { sandboxFaultArm } from './operations/sandbox-fault-arm.js';
export { sandboxFaults } from './operations/sandbox-faults.js';
export { sandboxFaultsClear } from './operations/sandbox-faults-clear.js';
export { sandboxReset } from './operations/sandbox-reset.js';
