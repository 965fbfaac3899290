import { createHash, randomUUID } from 'node:crypto';
import { ERROR_CODES, type OperationNameOf } from '@cds/contracts';
import { BusClient, BusConnection, parseBytes, RequestMux } from '@cds/service';
import { aCtx } from '@cds/service/testing';
import { pino } from 'pino';
import { credentialsOf } from './credentials.js';
import type { Told } from './endpoints.js';
import type { Stack } from './stack.js';

/**
 * The bus in the gateway's place, with its signature: what a person of a brand does while no door opens it, and prices
 * of a sandbox without the wait for everything that a sandbox's own door lets arrive.
 */
export class Desk {
  private constructor(
    private readonly connection: BusConnection,
    private readonly client: BusClient,
  ) {}

  static async open(stack: Stack): Promise<Desk> {
    const { bus, ctxKeys } = credentialsOf(stack, 'gateway');
    const connection = await BusConnection.open('gateway', bus, pino({ level: 'silent' }));
    return new Desk(connection, new BusClient(new RequestMux(connection), 'gateway', ctxKeys.to));
  }

  /** A write in a sandbox at this business time: of an admin of its brand, or of one of its keys. */
  async write(
    of: { workspace: string; now: Date; as: 'person' | 'key' },
    operation: OperationNameOf<'planning'>,
    input: object,
  ): Promise<Told> {
    const command = { id: createHash('sha256').update(randomUUID()).digest('hex'), fp: 'r1:test' };
    const ctx = aCtx({ workspace: of.workspace, sandbox: true, mandate: null, now: of.now.toISOString(), command });
    const person = { id: randomUUID(), role: 'admin' as const };
    const principal =
      of.as === 'key' ? ctx.principal : { ...ctx.principal, audience: 'person' as const, key: '', scopes: [], person };
    const networkNow = new Date(Date.now());
    const reply = await this.client.send(operation, { ...ctx, networkNow, principal }, input, 20_000);
    return reply.ok
      ? { status: reply.status, value: parseBytes(reply.bytes), replayed: reply.replayed }
      : {
          status: reply.status ?? ERROR_CODES[reply.error.code].status,
          value: { error: reply.error },
          replayed: false,
        };
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
