import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { OperationName, OperationNameOf } from '@cds/contracts';
import { seedBrand } from '../../tools/lib/stack.js';
import { type Door, errorOf, mcpDoor, restDoor, type Told } from '../support/endpoints.js';
import type { Desk } from '../support/gateway-bus.js';
import { anIdempotencyKey, ask, type SeededWorkspace, type Stack, secretOf } from '../support/stack.js';

/** A sandbox of its own, asked by any of its keys through either door. */
export class Workspace {
  private readonly doors = new Map<string, Promise<Door>>();
  /** How often a key's minute was used up and waited for. */
  waits = 0;

  private constructor(
    private readonly stack: Stack,
    private readonly asked: Desk,
    private readonly seeded: SeededWorkspace,
  ) {}

  static async make(stack: Stack, desk: Desk): Promise<Workspace> {
    const seeded = await seedBrand(stack, { name: `brand-${randomUUID().slice(0, 8)}` });
    const sandbox = seeded.find((one) => one.kind === 'sandbox');
    if (sandbox === undefined) throw new Error('a seeded brand lacks its sandbox');
    return new Workspace(stack, desk, sandbox);
  }

  get id(): string {
    return this.seeded.id;
  }

  /** A call by a key; a key whose minute is used up waits for the next one, as its 429 says. */
  async call(
    by: { door: Door['name']; key: string },
    operation: OperationName,
    input: Record<string, unknown>,
    idempotencyKey = anIdempotencyKey(),
  ): Promise<Told> {
    const door = await this.door(by.door, by.key);
    for (;;) {
      const told = await door.call(operation, input, isRead(operation) ? undefined : idempotencyKey);
      const error = errorOf(told);
      if (told.status !== 429 || error?.details?.['reason'] === 'daily_campaign_limit') return told;
      this.waits += 1;
      await delay(Number(error?.details?.['retry_after'] ?? 1) * 1_000);
    }
  }

  /** A sandbox door, by a key of its own minute. */
  async sandbox(operation: OperationName, input: Record<string, unknown>): Promise<Told> {
    const answer = await ask(this.stack, secretOf(this.seeded, 'reader'), operation, input as never);
    return { status: answer.status, value: answer.body, replayed: false };
  }

  /** What a person of the brand writes, or the sandbox's prices: at the desk, beside the doors. */
  desk(as: 'person' | 'key', now: Date, operation: OperationNameOf<'planning'>, input: object): Promise<Told> {
    return this.asked.write({ workspace: this.id, now, as }, operation, input);
  }

  async close(): Promise<void> {
    for (const door of this.doors.values()) await (await door).close();
  }

  private door(name: Door['name'], key: string): Promise<Door> {
    const id = `${name} ${key}`;
    const secret = secretOf(this.seeded, key);
    const open =
      this.doors.get(id) ??
      (name === 'REST' ? Promise.resolve(restDoor(this.stack, secret)) : mcpDoor(this.stack, secret));
    this.doors.set(id, open);
    return open;
  }
}

const READS: ReadonlySet<OperationName> = new Set([
  'campaigns_list',
  'campaign_status',
  'plan_quote',
  'creators_search',
]);
const isRead = (operation: OperationName): boolean => READS.has(operation);
