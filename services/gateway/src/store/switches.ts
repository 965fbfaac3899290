import { DEFAULT_SWITCHES, type Switches } from '@cds/contracts';
import { type Collection, Deadline, type Store } from '@cds/service';

type SwitchRow = { _id: 'switches' } & Partial<Switches>;

/** How long the switches are believed before they are read again. */
const FRESH_MS = 1_000;

/** The operator's switches; a switch that was never set stands as by default. */
export class SwitchBoard {
  private readonly rows: Collection<SwitchRow>;
  private known: { switches: Switches; at: number } | undefined;
  private reading: Promise<Switches> | undefined;

  constructor(store: Store) {
    this.rows = store.collection<SwitchRow>({ name: 'switches' });
  }

  /** The switches, at most a second old. */
  current(): Promise<Switches> | Switches {
    if (this.known !== undefined && performance.now() - this.known.at < FRESH_MS) return this.known.switches;
    // Others share it, so it does not end with the deadline of whoever came first.
    this.reading ??= Deadline.detached(() => this.read()).finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async read(): Promise<Switches> {
    const at = performance.now();
    const { _id, ...set } = (await this.rows.findOne({ _id: 'switches' })) ?? { _id: 'switches' };
    this.known = { switches: { ...DEFAULT_SWITCHES, ...set }, at };
    return this.known.switches;
  }
}
