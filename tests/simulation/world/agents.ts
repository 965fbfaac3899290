import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  DEFAULT_SWITCHES,
  type OperationName,
  type Principal,
  type PrincipalMandate,
  SCOPES,
} from '@cds/contracts';
import { type BusClient, type Ctx, Deadline, parseBytes } from '@cds/service';
import type { Scheduler } from '../platform/scheduler.js';

/**
 * A key as the gateway knows it; a request that starts now carries its mandate, a child's within its parent's. One that
 * is `revoked`, or past its `until`, is refused from then on, and so are its children.
 */
export type Key = {
  id: string;
  workspace: string;
  mandate: PrincipalMandate;
  parent?: Key;
  sandbox: boolean;
  revoked?: true;
  until?: Date;
};

export type By = 'key' | 'person' | 'team';

export type Answer = { status: number; code: string; body: unknown };

/** One request under one Idempotency-Key, and every final answer it got. */
export type Write = {
  operation: OperationName;
  name: string;
  command: { id: string; fp: string };
  key: Key;
  by: By;
  input: Record<string, unknown>;
  answers: Answer[];
  /** Answers that are not final: no reply, in progress, unavailable. */
  unknown: number;
  finished: boolean;
};

/** What a retry may cure (docs/reliability.md#idempotency); everything else is final. */
const TELLS_NOTHING: ReadonlySet<string> = new Set(['unavailable', 'in_progress', 'internal']);

/**
 * What agents do through the gateway: they retry under the same key until they get a final answer, and ask once more.
 */
export class Agents {
  readonly writes: Write[] = [];
  paymentsOpen = true;
  /** Counts the suspensions of the workspace; each ends at once. */
  suspensions = 0;
  /** After how long an agent repeats a write that is still running; null draws it for each write. */
  timeoutMs: number | null = null;
  /** How long a gateway waits for an answer: the real time, or a shorter one so that more happens in less time. */
  gatewayMs: readonly number[] = [3_000, 3_000, 8_000, 25_000];
  private running = 0;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly bus: BusClient,
  ) {}

  get idle(): boolean {
    return this.running === 0;
  }

  begin(work: () => Promise<void>): void {
    this.running += 1;
    void work().finally(() => {
      this.running -= 1;
    });
  }

  /** A write of a key, retried until it gets a final answer; an impatient agent sends it again while it runs. */
  async write(
    key: Key,
    operation: OperationName,
    input: Record<string, unknown>,
    name: string,
    by: By = 'key',
  ): Promise<Answer> {
    const write: Write = {
      operation,
      name,
      command: { id: digest(`${key.id}|${name}`), fp: digest(operation + JSON.stringify(input)) },
      key,
      by,
      input,
      answers: [],
      unknown: 0,
      finished: false,
    };
    this.writes.push(write);
    const { random } = this.scheduler;
    const drawn = random.chance(0.4) ? random.between(0, 30) : random.between(500, 8_000);
    const timeoutMs = this.timeoutMs ?? drawn;
    const underWay = new Set<Promise<void>>();
    for (let tries = 0; write.answers.length === 0; tries += 1) {
      const attempt: Promise<void> = this.attempt(write).finally(() => underWay.delete(attempt));
      underWay.add(attempt);
      await Promise.race([attempt, delay(timeoutMs * (tries + 1))]);
      if (write.answers.length === 0)
        await delay(random.chance(0.25) ? random.between(0, 5) : random.between(200, 1_200));
    }
    await Promise.all(underWay);
    write.finished = true;
    // Once more, now that everything is final: a replay gives the same answer (I02).
    const before = write.answers.length;
    for (let tries = 0; write.answers.length === before && tries < 60; tries += 1) {
      await this.attempt(write);
      if (write.answers.length === before) await delay(1_000);
    }
    const [first] = write.answers;
    if (first === undefined) throw new Error('a finished write has no answer');
    return first;
  }

  async internal(key: Key, operation: OperationName, input: Record<string, unknown>): Promise<void> {
    for (;;) {
      try {
        const reply = await this.bus.send(operation, this.context(key, null, 8_000), input, 8_000);
        if (reply.ok) return;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
      await delay(200);
    }
  }

  /** A write without an Idempotency-Key, as a page sends it: asked again until it is answered. */
  async press(key: Key, operation: OperationName, input: Record<string, unknown>): Promise<Answer> {
    for (;;) {
      try {
        const reply = await this.bus.send(operation, this.context(key, null, 8_000), input, 8_000);
        if (reply.ok) return { status: reply.status, code: 'ok', body: parseBytes(reply.bytes) };
        if (!TELLS_NOTHING.has(reply.error.code))
          return { status: reply.status ?? 0, code: reply.error.code, body: reply.error };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
      await delay(500);
    }
  }

  private async attempt(write: Write): Promise<void> {
    const { scheduler } = this;
    if ([write.key, write.key.parent].some((key) => key !== undefined && hasEnded(key, scheduler.date()))) {
      write.answers.push({ status: 401, code: 'unauthorized', body: null });
      return;
    }
    const limitMs = scheduler.random.one(this.gatewayMs);
    try {
      const context = this.context(write.key, write.command, limitMs, write.by);
      const reply = await this.bus.send(write.operation, context, write.input, limitMs);
      const answer: Answer = reply.ok
        ? { status: reply.status, code: 'ok', body: parseBytes(reply.bytes) }
        : { status: reply.status ?? 0, code: reply.error.code, body: reply.error };
      scheduler.note(() => `${write.operation} ${write.name} is answered ${answer.code} ${reasonOf(answer)}`);
      if (TELLS_NOTHING.has(answer.code)) write.unknown += 1;
      else write.answers.push(answer);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      write.unknown += 1;
    }
  }

  private context(key: Key, command: Write['command'] | null, limitMs: number, by: By = 'key'): Ctx {
    const now = this.scheduler.date();
    return {
      requestId: 'simulated',
      attemptId: randomUUID(),
      traceparent: '',
      principal: {
        audience: 'brand',
        workspace: key.workspace,
        workspace_name: 'Acme',
        reads_workspace: key.workspace,
        sandbox: key.sandbox,
        key: key.id,
        scopes: SCOPES,
        mandate_version: key.mandate.version,
        rights: { ...rightsOf(key), [workspaceRight(key)]: this.suspensions },
        ...mandateInForce(key),
        ...expiryOf(key),
        ...WHO[by],
      },
      command,
      now,
      networkNow: now,
      deadline: Deadline.in(limitMs),
      switches: { ...DEFAULT_SWITCHES, payments_open: this.paymentsOpen, writes_open: true },
    };
  }
}

/** What the principal of a person and of the team has besides a key's. */
const WHO: Readonly<Record<By, Partial<Principal>>> = {
  key: {},
  person: { audience: 'person', person: { id: 'a person', role: 'admin' } },
  team: { audience: 'operator', workspace: '', operator: { id: 'an operator', name: 'Fin', role: 'finance' } },
};

/** What docs/domain/access.md#child-keys says of caps and gates; the other limits are the same for all keys here. */
const mandateInForce = ({ mandate, parent }: Key): Pick<Principal, 'mandate' | 'parent'> => {
  if (parent === undefined) return { mandate };
  const { monthly_cap_cents: shared, version } = parent.mandate;
  return {
    mandate: { ...mandate, monthly_cap_cents: Math.min(mandate.monthly_cap_cents, shared) },
    parent: { key: parent.id, monthly_cap_cents: shared, mandate_version: version },
  };
};

/** The rights that a key's requests depend on; all have version 0. */
const rightsOf = ({ id, parent }: Key): Record<string, number> => ({
  [keyRight({ id })]: 0,
  ...(parent !== undefined && rightsOf(parent)),
});

const hasEnded = ({ revoked, until }: Key, now: Date): boolean =>
  revoked === true || (until !== undefined && until <= now);

/** A parent is the only key here that expires. */
const expiryOf = ({ until, parent }: Key): Pick<Principal, 'until'> => {
  const at = parent?.until ?? until;
  return at === undefined ? {} : { until: at.toISOString() };
};

export const keyRight = ({ id }: Pick<Key, 'id'>): string => `key:${id}`;
export const workspaceRight = ({ workspace }: Pick<Key, 'workspace'>): string => `workspace:${workspace}`;

export const reasonOf = ({ body }: Answer): string => {
  const details = (body as { details?: { reason?: unknown } } | null)?.details;
  return typeof details?.reason === 'string' ? details.reason : '';
};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
