import { WINDOWS, windowSubject } from '@cds/contracts';
import { EPOCH, Windows } from '@cds/gateway/bench';
import { BusConnection, Counters, RequestMux } from '@cds/service';
import { apiOf } from '@cds/service/bus';
import type { Collection } from 'mongodb';
import { pino } from 'pino';
import type { SharedStack } from './stack.js';

const MINUTE_MS = 60_000;
const LIMIT_MS = 5_000;

/** The windows of a running system: what a test needs more often than a minute gives. */
export class StackWindows {
  private constructor(
    private readonly connection: BusConnection,
    private readonly counters: Counters,
  ) {}

  static async open({ natsUrl }: Pick<SharedStack, 'natsUrl'>): Promise<StackWindows> {
    const { host, username: user, password } = new URL(natsUrl);
    const bus = { url: `nats://${host}`, user, password };
    const connection = await BusConnection.open('gateway', bus, pino({ level: 'silent' }));
    return new StackWindows(connection, new Counters(connection, new RequestMux(connection)));
  }

  /** Begins windows again, with the next epoch: of these ids (public ids of keys, of sessions, addresses), or all. */
  async beginAgain(ids?: readonly string[]): Promise<void> {
    await Promise.all(
      (await this.current(ids)).map(async (subject) => {
        const { total } = await this.counters.add(subject, 0, LIMIT_MS);
        if (total % EPOCH > 0) await this.counters.add(subject, EPOCH - (total % EPOCH), LIMIT_MS);
      }),
    );
  }

  /** Changes rows of keys as no operation does, and makes every gateway read them. */
  async changeKeys(keys: Collection<{ _id: string }>, which: object, fields: object): Promise<void> {
    await keys.updateMany(which, { $set: fields });
    const ids = await keys.distinct('_id', which);
    await new Windows(this.counters, { about: async () => new Date() }).changed(ids);
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  /** The windows of now, whose minute one gateway may have begun before another. */
  private async current(ids: readonly string[] | undefined): Promise<string[]> {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    const minutes = [minute - 1, minute, minute + 1];
    if (ids !== undefined) return ids.flatMap((id) => minutes.map((at) => windowSubject(id, at)));
    const { streams } = await apiOf(this.connection.nats);
    const [name] = await streams.names(WINDOWS.subjects[0]).next();
    if (name === undefined) return [];
    const { state } = await streams.info(name, { subjects_filter: WINDOWS.subjects[0] });
    return Object.keys(state.subjects ?? {}).filter((one) => minutes.includes(Number(one.split('.').at(-1))));
  }
}
