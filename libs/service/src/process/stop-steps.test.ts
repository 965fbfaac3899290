import { expect, it } from '@jest/globals';
import { stopSteps } from './stop-steps.js';

/** docs/reliability.md#deadlines: a stop is over after 30 s, whatever hangs. */
it('a service leaves the queue group first, then ends its work, then closes its connections, within 30 s', () => {
  // Only the order is asked for: no step runs, so the parts may be missing.
  const steps = stopSteps({ parts: {} } as Parameters<typeof stopSteps>[0]);
  expect(steps.map((group) => group.map(({ name, byMs }) => `${name} by ${byMs / 1_000} s`))).toEqual([
    ['queue group by 3 s'],
    ['endpoints by 25 s', 'requests by 25 s', 'consumers by 25 s', 'sweeps by 25 s', 'republishing by 25 s'],
    ['work after answers by 26 s'],
    ['events by 27 s'],
    ['application by 28 s'],
    ['bus by 29 s', 'database by 29 s', 'own connections by 29 s'],
    ['telemetry by 30 s'],
  ]);
});
