import { DEFAULT_SWITCHES, type Switches } from '@cds/contracts';
import { type Collection, Deadline, type Store } from '@cds/service';

type SwitchRow = { _id: 'switches' } & Partial<Switches>;

/** How long the switches are cached. */
const FRESH_MS = 1_000;

/** The operator's switches. A switch that was never set has its default. */
export class SwitchBoard {
  private readonly rows: Collection<SwitchRow>;
  private cached: { switches: Switches; at: number } | undefined;
  private reading: Promise<Switches> | undefined;

  constructor(store: Store) {
    this.rows = store.collection<SwitchRow>({ name: 'switches' });
  }

  /** The switches, at most a second old. */
  current(): Promise<Switches> | Switches {
    if (this.cached !== undefined && performance.now() - this.cached.at < FRESH_MS) return this.cached.switches;
    // Shared by all callers, so the first caller's deadline must not end it.
    this.reading ??= Deadline.detached(() => this.read()).finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async read(): Promise<Switches> {
    const at = performance.now();
    const { _id, ...set } = (await this.rows.findOne({ _id: 'switches' })) ?? { _id: 'switches' };
    this.cached = { switches: { ...DEFAULT_SWITCHES, ...set }, at };
    return this.cached.switches;
  }
}
