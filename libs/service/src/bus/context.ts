import { randomUUID } from 'node:crypto';
import {
  AppError,
  type Command,
  DEFAULT_SWITCHES,
  type Principal,
  type ServiceName,
  type Switches,
  type WireContext,
} from '@cds/contracts';
import { Deadline, MACHINE_TIME, type SharedTime } from '../deadline/deadline.js';

/** What an operation knows of its request: who asks, when, until when, and under which command. */
export type Ctx = {
  readonly requestId: string;
  readonly attemptId: string;
  readonly traceparent: string;
  readonly principal: Principal;
  readonly command: Command | null;
  /** Business time: every rule of the brand's side uses it (docs/reliability.md#clocks). */
  readonly now: Date;
  /** Database time: the network's time, also used by retention and limits. */
  readonly networkNow: Date;
  readonly deadline: Deadline;
  readonly switches: Switches;
  /** Who sent the request, as evidence; only in the process that received it. */
  readonly client?: { address: string; userAgent: string };
  /** The sender's minute window with this request counted; only in the process that counted it. */
  readonly minute?: { scope: 'key' | 'parent' | 'session' | 'address'; limit: number; left: number; resetsAt: Date };
};

/** How long a service may work on a write and on a read, in milliseconds (docs/reliability.md#deadlines). */
const SERVICE_LIMIT_MS = { write: 22_000, read: 8_000 } as const;
export const INTERNAL_CALL_MS = 8_000;

export const fromWire = (wire: WireContext, effect: 'read' | 'write', time: SharedTime): Ctx => ({
  requestId: wire.request_id,
  attemptId: wire.attempt_id,
  traceparent: wire.traceparent,
  principal: wire.principal,
  command: wire.command,
  now: new Date(wire.now),
  networkNow: new Date(wire.network_now),
  deadline: Deadline.fromWire(wire, time).atMost(SERVICE_LIMIT_MS[effect]),
  switches: wire.switches,
});

/** The context as sent to another service, with the time that remains. */
export const toWire = (
  ctx: Ctx,
  iss: ServiceName,
  aud: ServiceName,
  frameId: string,
  limitMs: number,
  time: SharedTime = MACHINE_TIME,
): WireContext => {
  const remaining = Math.min(limitMs, ctx.deadline.remainingMs());
  return {
    iss,
    aud,
    frame_id: frameId,
    request_id: ctx.requestId,
    attempt_id: ctx.attemptId,
    traceparent: ctx.traceparent,
    principal: ctx.principal,
    command: ctx.command,
    now: ctx.now.toISOString(),
    network_now: ctx.networkNow.toISOString(),
    deadline: time.latest() + remaining,
    remaining_ms: remaining,
    switches: ctx.switches,
  };
};

/** The creator's link behind a request. Raises unauthorized without one (docs/domain/pages.md#creator-links). */
export const creatorLinkOf = ({ principal }: Ctx): NonNullable<Principal['creator']> => {
  if (principal.creator === undefined)
    throw new AppError(
      'unauthorized',
      "This operation needs the token of a creator's link. Send it as Authorization: Bearer.",
    );
  return principal.creator;
};

/** The context of work that no request asked for: a sweep, an event consumer, the recovery worker. */
export const systemContext = (of: {
  workspace: string;
  sandbox: boolean;
  now: Date;
  networkNow: Date;
  limitMs?: number;
  switches?: Switches;
}): Ctx => ({
  requestId: `sys_${randomUUID()}`,
  attemptId: randomUUID(),
  traceparent: '',
  principal: {
    audience: 'system',
    workspace: of.workspace,
    workspace_name: '',
    reads_workspace: of.workspace,
    sandbox: of.sandbox,
    key: '',
    scopes: [],
    mandate: null,
    mandate_version: 0,
  },
  command: null,
  now: of.now,
  networkNow: of.networkNow,
  deadline: Deadline.in(of.limitMs ?? INTERNAL_CALL_MS),
  switches: of.switches ?? DEFAULT_SWITCHES,
});
