import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { OperationName, OperationNameOf } from '@cds/contracts';
import { ownerSession } from '../../tools/lib/owner-session.js';
import { seedBrand } from '../../tools/lib/stack.js';
import { type CallResult, type Endpoint, errorOf, mcpEndpoint, restEndpoint } from '../support/endpoints.js';
import type { GatewayBus } from '../support/gateway-bus.js';
import { anIdempotencyKey, ask, retried, type SeededWorkspace, type Stack, secretOf } from '../support/stack.js';

const MANDATE_MS = 300 * 86_400_000;
/** A 503 that says that something did not answer in time; any other one is a fault. */
const TOO_SLOW = /^(The request took too long|The service did not answer|The database is)/;
const MOST_TOO_SLOW = 5;

export class Workspace {
  private readonly endpoints = new Map<string, Promise<Endpoint>>();
  /** How often a key's minute window was exhausted and waited for. */
  waits = 0;
  private owner: Promise<Record<string, string>> | undefined;

  private constructor(
    private readonly stack: Stack,
    private readonly asked: GatewayBus,
    private readonly seeded: SeededWorkspace,
    private readonly brand: string,
  ) {}

  static async make(stack: Stack, gatewayBus: GatewayBus): Promise<Workspace> {
    const brand = `brand-${randomUUID().slice(0, 8)}`;
    const seeded = await seedBrand(stack, { name: brand });
    const sandbox = seeded.find((one) => one.kind === 'sandbox');
    if (sandbox === undefined) throw new Error('a seeded brand lacks its sandbox');
    return new Workspace(stack, gatewayBus, sandbox, brand);
  }

  get id(): string {
    return this.seeded.id;
  }

  /**
   * A call by a key. It waits and repeats under its Idempotency-Key as an agent does: as a 429 of the minute window
   * says, and a few times as a 503 of a busy machine says.
   */
  async call(
    by: { transport: Endpoint['name']; key: string },
    operation: OperationName,
    input: Record<string, unknown>,
    idempotencyKey = anIdempotencyKey(),
  ): Promise<CallResult> {
    const endpoint = await this.endpoint(by.transport, by.key);
    for (let tooSlow = 0; ; ) {
      const result = await endpoint.call(operation, input, isRead(operation) ? undefined : idempotencyKey);
      const error = errorOf(result);
      if (tooSlow < MOST_TOO_SLOW && result.status === 503 && TOO_SLOW.test(error?.message ?? '')) tooSlow += 1;
      else if (result.status !== 429 || error?.details?.['reason'] === 'daily_campaign_limit') return result;
      else this.waits += 1;
      await delay(Number(error?.details?.['retry_after'] ?? 1) * 1_000);
    }
  }

  /** A sandbox operation, by a key that nothing else uses, so with its own minute window. */
  async sandbox(operation: OperationName, input: Record<string, unknown>): Promise<CallResult> {
    const key = secretOf(this.seeded, 'writer');
    const answer = await retried((id) => ask(this.stack, key, operation, input as never, { 'idempotency-key': id }));
    return { status: answer.status, value: answer.body, replayed: false };
  }

  /**
   * A write by a person of the brand or by the team, or what the sandbox plays, sent over the bus in the gateway's
   * place.
   */
  gatewayBus(
    as: 'person' | 'key' | 'team',
    now: Date,
    operation: OperationNameOf<'planning' | 'billing'>,
    input: object,
  ): Promise<CallResult> {
    return this.asked.write({ workspace: this.id, now, as }, operation, input);
  }

  async setMandate(
    name: string,
    { maxPlanCents, capCents }: { maxPlanCents: number; capCents: number },
    now: Date,
  ): Promise<CallResult> {
    this.owner ??= this.signedIn();
    const { body, status } = await ask(
      this.stack,
      null,
      'key_mandate_set',
      {
        id: this.seeded.keys.find((key) => key.name === name)?.id ?? '',
        max_plan_cents: maxPlanCents,
        monthly_cap_cents: capCents,
        channels: ['x_creators'],
        may_approve: true,
        expires_at: new Date(now.getTime() + MANDATE_MS).toISOString(),
      },
      await this.owner,
    );
    return { status, value: body, replayed: false };
  }

  private async signedIn(): Promise<Record<string, string>> {
    const person = { origin: this.stack.appUrl, cookie: await ownerSession(this.stack, this.brand) };
    await ask(this.stack, null, 'session_workspace_set', { workspace: this.id }, person);
    return person;
  }

  async close(): Promise<void> {
    for (const endpoint of this.endpoints.values()) await (await endpoint).close();
  }

  private endpoint(name: Endpoint['name'], key: string): Promise<Endpoint> {
    const id = `${name} ${key}`;
    const secret = secretOf(this.seeded, key);
    const open =
      this.endpoints.get(id) ??
      (name === 'REST' ? Promise.resolve(restEndpoint(this.stack, secret)) : mcpEndpoint(this.stack, secret));
    this.endpoints.set(id, open);
    return open;
  }
}

const READS: ReadonlySet<OperationName> = new Set([
  'campaigns_list',
  'campaign_status',
  'plan_quote',
  'order_get',
  'creators_search',
]);
const isRead = (operation: OperationName): boolean => READS.has(operation);
