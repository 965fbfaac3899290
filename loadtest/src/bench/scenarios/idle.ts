import { goal } from '../goals.js';
import { CpuMeter } from '../processes.js';
import type { Scenario } from '../scenario.js';
import { IDLE_SECONDS, IDLE_WINDOWS } from '../settings.js';
import { pidsOf } from '../variants.js';

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

type Window = { used: Record<string, number>; total: number };

/** CPU of all processes of an idle system, in milliseconds per second: goal 15. */
export const idle: Scenario = async ({ stack }) => {
  const meter = new CpuMeter(pidsOf(stack, Object.keys(stack.services)));
  const windows: Window[] = [];
  for (let index = 0; index < IDLE_WINDOWS; index += 1) windows.push(await windowOf(meter));
  // What was seeded causes work for a minute or more.
  const [least] = windows.sort((one, other) => one.total - other.total);
  if (least === undefined) throw new Error('no window was observed');
  return {
    comparisons: {},
    figures: { 'Idle: ms of CPU per second': least.used },
    goals: [goal(15, 'idle system, all processes', '<=', 60, least.total, 'ms/s')],
  };
};

const windowOf = async (meter: CpuMeter): Promise<Window> => {
  meter.start();
  const started = performance.now();
  await pause(IDLE_SECONDS);
  const seconds = (performance.now() - started) / 1000;
  const used = Object.entries(meter.stop()).map(([name, micros]) => [name, micros / 1000 / seconds] as const);
  return {
    used: Object.fromEntries(used.map(([name, ms]) => [name, Number(ms.toFixed(1))])),
    total: used.reduce((sum, [, ms]) => sum + ms, 0),
  };
};
