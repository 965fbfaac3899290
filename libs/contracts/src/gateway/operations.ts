import { deadLetterOperations } from './dead-letters.js';
import { devBrandOperations } from './dev-brands.js';
import { feedbackOperations } from './feedback.js';
import { operatorOperations } from './operators.js';
import { republishOperations } from './republishing.js';
import { sandboxClockOperations } from './sandbox-clock.js';
import { taskOperations } from './tasks.js';

/** Every operation of gateway, by resource. */
export const gatewayOperations = {
  ...feedbackOperations,
  ...sandboxClockOperations,
  ...taskOperations,
  ...operatorOperations,
  ...deadLetterOperations,
  ...republishOperations,
  ...devBrandOperations,
} as const;
