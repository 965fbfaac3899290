import { gate } from '../gates.js';
import { CpuMeter } from '../processes.js';
import type { Scenario } from '../scenario.js';
import { IDLE_SECONDS } from '../settings.js';
import { pidsOf } from '../variants.js';

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** CPU of all processes of an idle system, in milliseconds per second: gate 15. */
export const idle: Scenario = async ({ stack }) => {
  await pause(2);
  const meter = new CpuMeter(pidsOf(stack, Object.keys(stack.services)));
  meter.start();
  const started = performance.now();
  await pause(IDLE_SECONDS);
  const seconds = (performance.now() - started) / 1000;
  const used = Object.entries(meter.stop()).map(([name, micros]) => [name, micros / 1000 / seconds] as const);
  const total = used.reduce((sum, [, ms]) => sum + ms, 0);
  return {
    comparisons: {},
    figures: {
      'Idle: ms of CPU per second': Object.fromEntries(used.map(([name, ms]) => [name, Number(ms.toFixed(1))])),
    },
    gates: [gate(15, 'idle system, all processes', '<=', 60, total, 'ms/s')],
  };
};
