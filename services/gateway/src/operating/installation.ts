import type { KeyObject } from 'node:crypto';
import { Deadline } from '@cds/service';
import { checkInstallation, type InstallationCheck, type InstallationFacts } from './domain/installation.js';

const TIMEOUT_MS = 1_000;

type Keys = Readonly<Record<string, KeyObject>>;

type Sources = {
  command: (command: Record<string, unknown>) => Promise<Record<string, unknown>>;
  clockOffsetMs: () => Promise<number>;
  bus: () => { version: string; jetstream?: boolean } | undefined;
  keys: Readonly<Record<string, Keys | string>>;
  mail: InstallationFacts['mail'];
};

export class Installation {
  constructor(private readonly of: Sources) {}

  /** Asks at this moment; never raises. */
  async check(): Promise<InstallationCheck[]> {
    const server = this.of.bus();
    return checkInstallation({
      database: await this.database(),
      bus: server === undefined ? null : { version: server.version, jetstream: server.jetstream === true },
      keys: Object.entries(this.of.keys).map(([variable, keys]) => ({ variable, bytes: shortest(keys) })),
      mail: this.of.mail,
    });
  }

  private async database(): Promise<InstallationFacts['database']> {
    const { command, clockOffsetMs } = this.of;
    try {
      return await Deadline.in(TIMEOUT_MS).run(async () => {
        const [hello, build, offsetMs] = await Promise.all([
          command({ hello: 1 }),
          command({ buildInfo: 1 }),
          clockOffsetMs(),
        ]);
        const { setName } = hello;
        return {
          version: String(build['version']),
          replicaSet: typeof setName === 'string' ? setName : null,
          offsetMs,
        };
      });
    } catch {
      return null;
    }
  }
}

const shortest = (keys: Keys | string): number =>
  typeof keys === 'string'
    ? Buffer.byteLength(keys)
    : Math.min(...Object.values(keys).map((key) => key.symmetricKeySize ?? 0));
