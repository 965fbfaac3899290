/**
 * Named points at which a fault test makes the process die or lose a message, as `sign.reserved=kill:3` (the third
 * time it is reached). Empty outside tests, where a failpoint costs one lookup in an empty map.
 */
export class Failpoints {
  private readonly armed = new Map<string, { action: 'kill' | 'error'; at: number; seen: number }>();

  constructor(text: string) {
    for (const part of text.split(',').filter((one) => one !== '')) {
      const [name = '', rest = 'kill'] = part.split('=');
      const [action = 'kill', at = '1'] = rest.split(':');
      this.armed.set(name, { action: action === 'error' ? 'error' : 'kill', at: Number(at), seen: 0 });
    }
  }

  /** Arms a point while the process runs, from the small port of a test system. */
  arm(text: string): void {
    for (const [name, point] of new Failpoints(text).armed) this.armed.set(name, point);
  }

  hit(name: string): void {
    const point = this.armed.get(name);
    if (point === undefined) return;
    point.seen += 1;
    if (point.seen !== point.at) return;
    this.armed.delete(name);
    if (point.action === 'kill') process.kill(process.pid, 'SIGKILL');
    throw new Error(`failpoint ${name}`);
  }
}
