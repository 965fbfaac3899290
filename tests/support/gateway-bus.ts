import { createHash, randomUUID } from 'node:crypto';
import { ERROR_CODES, type OperationNameOf } from '@cds/contracts';
import { BusClient, BusConnection, parseBytes, RequestMux } from '@cds/service';
import { aCtx } from '@cds/service/testing';
import { pino } from 'pino';
import { credentialsOf } from './credentials.js';
import type { CallResult } from './endpoints.js';
import type { Stack } from './stack.js';

/**
 * The bus as the gateway uses it, with its signature: for writes of a person that no public endpoint offers, and for
 * sandbox prices without waiting for everything a sandbox call settles.
 */
export class GatewayBus {
  private constructor(
    private readonly connection: BusConnection,
    private readonly client: BusClient,
  ) {}

  static async open(stack: Stack): Promise<GatewayBus> {
    const { bus, ctxKeys } = credentialsOf(stack, 'gateway');
    const connection = await BusConnection.open('gateway', bus, pino({ level: 'silent' }));
    return new GatewayBus(connection, new BusClient(new RequestMux(connection), 'gateway', ctxKeys.to));
  }

  /** A write in a sandbox at this business time, by an admin of its brand, one of its keys, or the operator's team. */
  async write(
    of: { workspace: string; now: Date; as: 'person' | 'key' | 'team' },
    operation: OperationNameOf<'planning' | 'billing'>,
    input: object,
  ): Promise<CallResult> {
    const command = { id: createHash('sha256').update(randomUUID()).digest('hex'), fp: 'r1:test' };
    const ctx = aCtx({ workspace: of.workspace, sandbox: true, mandate: null, now: of.now.toISOString(), command });
    const person = { id: randomUUID(), role: 'admin' as const };
    const operator = { id: randomUUID(), name: 'Fin', role: 'finance' as const };
    const principal = {
      key: ctx.principal,
      person: { ...ctx.principal, audience: 'person' as const, scopes: [], person },
      team: { ...ctx.principal, audience: 'operator' as const, workspace: '', key: '', scopes: [], operator },
    }[of.as];
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
