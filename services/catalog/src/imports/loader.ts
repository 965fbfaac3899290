import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { type BaseShell, Deadline } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { generateCreator } from '../generator/generate.js';
import { portraitOf } from '../pictures/portrait.js';
import type { NetworkMemory } from '../snapshot/memory.js';
import type { Avatars } from '../store/avatars.js';
import type { Creators } from '../store/creators.js';
import type { NetworkState } from '../store/network-state.js';
import type { Importer } from './importer.js';

const BATCH = 25;
const TIMEOUT_MS = 15_000;

export type Wanted = { creators: number; seed: number };
type Load = Wanted & { loaded: number; done: Promise<void> };

/** Loads the generated network; one load runs at a time (docs/domain/network.md#generated-network). */
export class NetworkLoader {
  private running: Load | null = null;

  constructor(
    private readonly importer: Importer,
    private readonly creators: Creators,
    private readonly avatars: Pick<Avatars, 'keepMadeUp'>,
    private readonly state: NetworkState,
    private readonly memory: NetworkMemory,
    private readonly log: BaseShell['log'],
  ) {}

  async load(wanted: Wanted, asOf: Date): Promise<number> {
    const load = await this.startOrJoin(wanted, asOf);
    await Promise.race([load.done, delay(TIMEOUT_MS, undefined, { ref: false })]);
    return load.loaded;
  }

  async loaded(): Promise<{ creators: number; newest: Date | null }> {
    const { loaded } = await this.state.read();
    if (loaded === null) return { creators: 0, newest: null };
    return { creators: await this.creators.countGenerated(loaded), newest: loaded.done ? loaded.as_of : null };
  }

  private async startOrJoin(wanted: Wanted, asOf: Date): Promise<Load> {
    while (this.running !== null) {
      if (this.running.creators === wanted.creators && this.running.seed === wanted.seed) return this.running;
      await this.running.done;
    }

    const load: Load = { ...wanted, loaded: 0, done: Promise.resolve() };
    load.done = Deadline.detached(() => this.run(load, asOf)).finally(() => {
      this.running = null;
    });
    // The reason of a failure is logged even when nobody waits for the load.
    load.done.catch((err: unknown) => this.log.error({ err }, 'the generated network could not be loaded'));
    this.running = load;
    return load;
  }

  private async run(load: Load, asOf: Date): Promise<void> {
    const { creators, seed } = load;
    await this.state.setLoaded({ creators, seed, as_of: asOf, done: false });
    for (let from = 0; from < creators; from += BATCH) {
      const size = Math.min(BATCH, creators - from);
      const batch = Array.from({ length: size }, (_none, at) => generateCreator(seed, from + at, asOf));
      const portraits = batch.flatMap(({ generated }) =>
        generated?.avatar == null
          ? []
          : [{ creatorId: generated.id, name: generated.avatar, bytes: portraitOf(seed, generated.index) }],
      );
      await this.avatars.keepMadeUp(portraits, asOf);
      await this.importer.importCreators(batch, {
        asOf,
        recordedAt: asOf,
        viewsSource: 'network',
        setBy: 'generator',
      });
      load.loaded += size;
      await nextTurn();
    }
    await this.creators.pauseOtherGenerated({ creators, seed }, await this.state.next());
    await this.state.setLoaded({ creators, seed, as_of: asOf, done: true });
    await this.memory.follow(dayOf(asOf));
  }
}
