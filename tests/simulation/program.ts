import { execFile } from 'node:child_process';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, '..', '..', 'tools', 'simulation.ts');

/** Runs the program in its own process, since it replaces the clock, and returns its output. */
export const simulate = (...args: string[]): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], { maxBuffer: 64 * 1024 * 1024 }, (error, said, errors) => {
      resolve({ code: error === null ? 0 : 1, said: said + errors });
    });
  });
