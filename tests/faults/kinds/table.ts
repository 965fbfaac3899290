import { killedBus, lostConsumer, lostStream, lostWindows } from './bus.js';
import { cutPrimary, frozenPrimary, killedMember, slowDatabase, stepDown } from './database.js';
import type { FaultKind } from './fault.js';
import { lockedDocument } from './locked-document.js';
import { frozenService, kill, skewedClock } from './process.js';

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
  lostWindows,
  lostConsumer,
  lockedDocument,
} satisfies Record<string, FaultKind>;
export type KindName = keyof typeof KINDS;
