import { readFileSync } from 'node:fs';
import { cpuMs } from '../lib/process-table.js';

/** @typedef {Record<string, number[]>} Processes The ids of processes, by what they are. */
/** @typedef {{ cpu_ms: Record<string, number>, memory_mib: Record<string, number> }} Costs */

/**
 * The memory that a process holds, in MiB.
 * @param {number} pid
 */
export function memoryMib(pid) {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1024;
}

/**
 * @param {Processes} processes
 * @param {(pid: number) => number} of
 */
function byName(processes, of) {
  return Object.fromEntries(
    Object.entries(processes).map(([name, pids]) => [name, pids.reduce((sum, pid) => sum + of(pid), 0)]),
  );
}

/**
 * Begins to measure; the answer ends it. CPU is what each kind of process used in between, memory what it holds at the
 * end. Linux only.
 * @param {Processes} processes
 * @returns {() => Costs}
 */
export function startMeter(processes) {
  const before = byName(processes, cpuMs);
  return () => {
    const after = byName(processes, cpuMs);
    return {
      cpu_ms: Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, Math.round(ms - before[name])])),
      memory_mib: Object.fromEntries(
        Object.entries(byName(processes, memoryMib)).map(([name, mib]) => [name, Math.round(mib)]),
      ),
    };
  };
}
