/** So many wants go into one command at most. */
const TOGETHER_MAX = 500;

type Waiting<Want, Found> = { want: Want; resolve: (found: Found) => void; reject: (error: unknown) => void };

/**
 * Gathers what arrives while a command is on its way into the next one, without a timer: one want alone runs by itself
 * at once, several run together (reliability 3.3; performance 3, rule 2).
 */
export class Gatherer<Want, Found> {
  private waiting: Waiting<Want, Found>[] = [];
  private running = false;

  constructor(
    private readonly one: (want: Want) => Promise<Found>,
    /** Answers each want in its place; a want may go on by itself. */
    private readonly together: (wants: readonly Want[]) => Promise<(Found | Promise<Found>)[]>,
  ) {}

  add(want: Want): Promise<Found> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ want, resolve, reject });
      if (!this.running) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, TOGETHER_MAX);
      try {
        const wants = batch.map(({ want }) => want);
        const [alone] = wants;
        const found = wants.length === 1 && alone !== undefined ? [await this.one(alone)] : await this.together(wants);
        for (const [index, { resolve }] of batch.entries()) resolve(found[index] as Found);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.running = false;
  }
}
