/**
 * A process that loads this has a clock that can be moved: on SIGUSR2 it is off by the milliseconds in the file
 * `clock-<pid>` of its home (tests/support/clocks.ts). Date shows it; the monotonic clock is left alone.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const Own = Date;
let offsetMs = 0;
process.on('SIGUSR2', () => {
  offsetMs = Number(readFileSync(join(process.env.CDS_LAUNCHED_FROM ?? '', `clock-${process.pid}`), 'utf8'));
});

const now = () => Own.now() + offsetMs;
globalThis.Date = new Proxy(Own, {
  construct: (_own, args, target) =>
    Reflect.construct(Own, args.length === 0 ? [now()] : args, target === globalThis.Date ? Own : target),
  apply: () => new Own(now()).toString(),
  get: (_own, name) => (name === 'now' ? now : Reflect.get(Own, name)),
});
