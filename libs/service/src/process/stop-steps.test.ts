import { expect, it } from '@jest/globals';
import { stopSteps } from './stop-steps.js';
import { stopInSteps } from './stopping.js';

type Parts = Parameters<typeof stopSteps>[0];

/** Parts of a service that only note which of their functions a stop calls, by their paths. */
const notingParts = (called: string[]): Parts => {
  const noting = (path: string): unknown =>
    new Proxy(async () => void called.push(path), {
      get: (_part, name) => noting(path === '' ? String(name) : `${path}.${String(name)}`),
    });
  return noting('') as Parts;
};

/** docs/reliability.md#deadlines: a stop is over after 30 s, whatever hangs. */
it('a service leaves the queue group first, then ends its work, then closes its connections, within 30 s', async () => {
  const called: string[] = [];
  const steps = stopSteps(notingParts(called));
  expect(steps.map((group) => group.map(({ name, byMs }) => `${name} by ${byMs / 1_000} s`))).toEqual([
    ['queue group by 3 s'],
    ['endpoints by 25 s', 'requests by 25 s', 'consumers by 25 s', 'sweeps by 25 s', 'republishing by 25 s'],
    ['work after answers by 26 s'],
    ['events by 27 s'],
    ['application by 28 s'],
    ['bus by 29 s', 'database by 29 s', 'own connections by 29 s'],
    ['telemetry by 30 s'],
  ]);

  const calls: string[][] = [];
  for (const group of steps) {
    await stopInSteps([group], { warn: () => undefined });
    calls.push(called.splice(0).sort());
  }
  expect(calls).toEqual([
    ['server.leave'],
    ['auditing.ending', 'auditing.stop', 'inbox.stop', 'parts.shut', 'republisher.stop', 'server.close', 'sweeps.stop'],
    ['parts.close'],
    ['relay.flush', 'relay.stop'],
    ['app.close'],
    ['parts.release', 'shell.connection.close', 'shell.store.close'],
    ['telemetry.stop'],
  ]);
});
