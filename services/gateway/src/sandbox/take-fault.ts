import type { Edge } from '../edge/port.js';
import { faultError } from './domain/fault.js';
import type { Faults } from './store/faults.js';

export const faultTaker =
  (faults: Pick<Faults, 'take'>): Edge['takeFault'] =>
  async (workspace, operation, now) => {
    const fault = await faults.take(workspace, operation);
    return fault === null ? null : { delayMs: fault.delay_ms, error: faultError(fault, now) };
  };
