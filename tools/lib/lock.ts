import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { type Home, readJson, writeJson } from './home.ts';
import { isAlive, startedAt } from './process-table.ts';

export type Phase = 'starting' | 'running' | 'stopping';
export type Holder = { pid?: number; started?: string; phase?: Phase };

/**
 * One launcher per home. Returns `{ release }`, or `{ holder }` when a running launcher holds the home. The holder's
 * start time is kept with its process id, so that a reused id is not mistaken for it.
 */
export function lockHome(
  home: Home,
): { holder?: undefined; report: (phase: Phase) => void; release: () => void } | { holder: Holder } {
  const file = home.at('launcher.lock');
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      const fd = openSync(file, 'wx', 0o600);
      writeFileSync(fd, JSON.stringify({ pid: process.pid, started: startedAt(process.pid), phase: 'starting' }));
      closeSync(fd);
      return {
        /** Records what a second start may say of this one: starting, running or stopping. */
        report: (phase: Phase) => writeJson(file, { pid: process.pid, started: startedAt(process.pid), phase }),
        release() {
          if (readJson(file)?.pid === process.pid) rmSync(file, { force: true });
        },
      };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = readJson(file);
    if (holder && isAlive(holder.pid) && startedAt(holder.pid) === holder.started) return { holder };
    rmSync(file, { force: true });
  }
  return { holder: readJson(file) ?? {} };
}
