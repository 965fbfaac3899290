import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'preload/movable-clock.js')).href;

/** What a stack is started with, so that the clocks of its services can be moved. */
export const MOVABLE_CLOCKS = { envOf: () => ({ NODE_OPTIONS: `--import=${PRELOAD}` }) };

/**
 * Shifts the clock of a process by that much, as on a machine whose clock is wrong; its monotonic clock is unaffected.
 */
export const moveClock = (stack: { home: string }, pid: number, offsetMs: number): void => {
  writeFileSync(join(stack.home, `clock-${pid}`), String(offsetMs));
  process.kill(pid, 'SIGUSR2');
};
