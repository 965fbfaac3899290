import { cpuMs } from '../../../tools/lib/process-table.js';

const cpuMicros = (pid: number): number => {
  try {
    return cpuMs(pid) * 1_000;
  } catch {
    return 0;
  }
};

export class CpuMeter {
  private before = new Map<string, number>();

  constructor(private readonly pids: Readonly<Record<string, readonly number[]>>) {}

  start(): void {
    this.before = this.read();
  }

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
