import { setTimeout as delay } from 'node:timers/promises';

const ACTIONS = ['kill', 'stop', 'error', 'wait'] as const;
type Point = { action: (typeof ACTIONS)[number]; value: number; seen: number };

const parse = (text: string): [name: string, point: Point][] =>
  text
    .split(',')
    .filter((one) => one !== '')
    .map((part) => {
      const [name = '', rest = 'kill'] = part.split('=');
      const [wanted, value = '1'] = rest.split(':');
      const action = ACTIONS.find((one) => one === wanted);
      if (action === undefined) throw new Error(`failpoint ${part}: the action is one of ${ACTIONS.join(', ')}`);
      return [name, { action, value: Number(value), seen: 0 }];
    });

/**
 * Named points of fault tests: `sign.reserved=kill:3` (the third time), `=stop` (until SIGCONT), `=error`, `=wait:1500`
 * (milliseconds, once).
 */
export class Failpoints {
  private readonly armed: Map<string, Point>;

  constructor(text: string) {
    this.armed = new Map(parse(text));
  }

  arm(text: string): void {
    for (const [name, point] of parse(text)) this.armed.set(name, point);
  }

  hit(name: string): void {
    const point = this.armed.get(name);
    if (point === undefined || point.action === 'wait') return;
    point.seen += 1;
    if (point.seen !== point.value) return;
    this.armed.delete(name);
    if (point.action === 'stop') {
      process.kill(process.pid, 'SIGSTOP');
      return;
    }
    if (point.action === 'kill') process.kill(process.pid, 'SIGKILL');
    throw new Error(`failpoint ${name}`);
  }

  /** Waits, if armed to: a delayed message, a paused process. */
  async pause(name: string): Promise<void> {
    const point = this.armed.get(name);
    if (point?.action !== 'wait') return;
    this.armed.delete(name);
    await delay(point.value);
  }
}
