import { cutPrimary } from './cut-primary.js';
import type { FaultKind } from './fault.js';
import { frozenPrimary } from './frozen-primary.js';
import { frozenService } from './frozen-service.js';
import { kill } from './kill.js';
import { killedBus } from './killed-bus.js';
import { killedMember } from './killed-member.js';
import { lockedDocument } from './locked-document.js';
import { lostConsumer } from './lost-consumer.js';
import { lostStream } from './lost-stream.js';
import { skewedClock } from './skewed-clock.js';
import { slowDatabase } from './slow-database.js';
import { stepDown } from './step-down.js';

export const KINDS = {
  kill,
  frozenService,
  frozenPrimary,
  stepDown,
  killedMember,
  killedBus,
  cutPrimary,
  slowDatabase,
  skewedClock,
  lostStream,
  lostConsumer,
  lockedDocument,
} satisfies Record<string, FaultKind>;
export type KindName = keyof typeof KINDS;
