import type { Edge } from '../edge/port.js';
import { faultError } from './domain/fault.js';
import type { Faults } from './store/faults.js';

/** The faults that developers armed, as the edge asks for them (docs/domain/sandbox.md#faults). */
export const faultTaker =
  (faults: Pick<Faults, 'take'>): Edge['takeFault'] =>
  async (workspace, operation, now) => {
    const fault = await faults.take(workspace, operation);
    return fault === null ? null : { delayMs: fault.delay_ms, error: faultError(fault, now) };
  };
