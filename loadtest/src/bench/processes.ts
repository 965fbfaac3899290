import { readFileSync } from 'node:fs';

/** Clock ticks per second in Linux process times. */
const TICKS = 100;

/** CPU microseconds (user and system) of a process so far; 0 if it has ended. */
export const cpuMicros = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1e6;
  } catch {
    return 0;
  }
};

/** CPU time by process name between start and stop. */
export class CpuMeter {
  private before = new Map<string, number>();

  constructor(private readonly pids: Readonly<Record<string, readonly number[]>>) {}

  start(): void {
    this.before = this.read();
  }

  /** Microseconds since the start, by name. */
  stop(): Record<string, number> {
    const after = this.read();
    return Object.fromEntries([...after].map(([name, value]) => [name, value - (this.before.get(name) ?? 0)]));
  }

  private read(): Map<string, number> {
    return new Map(
      Object.entries(this.pids).map(([name, pids]) => [name, pids.reduce((sum, pid) => sum + cpuMicros(pid), 0)]),
    );
  }
}
