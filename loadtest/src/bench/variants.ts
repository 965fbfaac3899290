import type { Stack } from '../../../tools/lib/stack.js';
import { HttpLoad } from './http-load.js';
import { CpuMeter } from './processes.js';
import type { Reference } from './references.js';
import { quantile, runRounds, type Slice, type Variant, type VariantReport } from './rounds.js';
import type { Bench } from './scenario.js';
import { CONNECTIONS, ENGINES, ROUNDS, SECONDS, say } from './settings.js';

export type OpenVariant = { variant: Variant; close: () => void };

export const inTurn = <T>(all: readonly T[]): (() => T) => {
  let index = 0;
  return () => {
    index = (index + 1) % all.length;
    return all[index] as T;
  };
};

export const pidsOf = (stack: Stack, services: readonly string[]): Record<string, number[]> => ({
  ...Object.fromEntries(
    services.map((service) => [service, (stack.services[service] ?? []).flatMap((one) => one.pid ?? [])]),
  ),
  nats: [stack.nats.pid ?? 0],
  ...ENGINES,
});

export const httpVariant = async (
  name: string,
  at: { port: number; connections?: number; pids: Record<string, number[]> },
  next: () => Buffer,
): Promise<OpenVariant> => {
  const load = new HttpLoad(at.port, at.connections ?? CONNECTIONS);
  await load.open();
  const meter = new CpuMeter(at.pids);
  const slice = async (seconds: number): Promise<Slice> => {
    meter.start();
    const result = await load.slice(seconds, next);
    const cpu = meter.stop();
    const good = [...result.statuses].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0);
    return {
      operations: result.requests,
      perSecond: result.requests / result.seconds,
      p50: quantile(result.latencies, 0.5),
      p99: quantile(result.latencies, 0.99),
      cpu: Object.fromEntries(Object.entries(cpu).map(([process, micros]) => [process, micros / result.requests])),
      failed: result.requests - good,
    };
  };
  return { close: () => load.close(), variant: { name, slice } };
};

export const loopVariant = (
  name: string,
  inFlight: number,
  pids: Record<string, readonly number[]>,
  work: () => Promise<unknown>,
): Variant => ({
  name,
  slice: async (seconds) => {
    const meter = new CpuMeter(pids);
    meter.start();
    const latencies: number[] = [];
    const started = performance.now();
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        while (performance.now() - started < seconds * 1000) {
          const at = performance.now();
          await work();
          latencies.push(performance.now() - at);
        }
      }),
    );
    const elapsed = (performance.now() - started) / 1000;
    const sorted = latencies.sort((a, b) => a - b);
    return {
      operations: latencies.length,
      perSecond: latencies.length / elapsed,
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      cpu: Object.fromEntries(
        Object.entries(meter.stop()).map(([process, micros]) => [process, micros / latencies.length]),
      ),
      failed: 0,
    };
  },
});

/** Sends the same GET requests to every reference and to the system, interleaved. Ratios are to the first reference. */
export const compareReads = async (
  { stack }: Pick<Bench, 'stack'>,
  references: readonly Reference[],
  requests: readonly Buffer[],
  services: readonly string[],
  rounds = ROUNDS,
): Promise<VariantReport[]> => {
  const open: OpenVariant[] = [];
  for (const { name, port, pids } of references)
    open.push(await httpVariant(name, { port, pids: { ...pids, ...ENGINES } }, inTurn(requests)));
  const port = Number(new URL(stack.appUrl).port);
  open.push(await httpVariant('ours', { port, pids: pidsOf(stack, services) }, inTurn(requests)));
  try {
    return await runRounds(
      open.map(({ variant }) => variant),
      { rounds, seconds: SECONDS, progress: say },
    );
  } finally {
    for (const { close } of open) close();
  }
};
