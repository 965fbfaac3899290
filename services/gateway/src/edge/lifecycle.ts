import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  type Command,
  inOrderOf,
  type OperationDeclaration,
  type OperationName,
  type Output,
  unavailable,
  unprocessable,
} from '@cds/contracts';
import {
  type Ctx,
  commandId,
  Deadline,
  idempotencyConflict,
  keptDays,
  parseBytes,
  requestFingerprint,
} from '@cds/service';
import type { Caller } from './callers.js';
import { contextOf, LIMIT_MS, limitOf } from './context.js';
import type { Edge } from './edge.js';
import type { Endpoint } from './endpoint.js';
import type { Answer } from './http/answer.js';
import { cookiesOf } from './http/cookies.js';
import type { Exchange } from './http/exchange.js';
import { checkQuota, WRITE_QUOTA } from './quota.js';
import type { Routes } from './routes.js';
import { type Done, dispatch, refusedWith } from './steps/dispatch.js';
import { checkHost, checkOrigin } from './steps/host.js';
import { idempotencyKeyOf } from './steps/idempotency.js';
import { checkWindow } from './steps/rate.js';
import { findMethod, findPath } from './steps/route.js';
import { checkScope, checkSuspension } from './steps/scope.js';
import { type Parts, type Shaped, validate, withSafeNames } from './steps/validate.js';
import { sendUpload } from './upload.js';

/**
 * The life of a request: fifteen steps, one below the other in the order of docs/domain/requests.md#order-of-errors.
 * The first step that refuses raises the error behind its number, and `server.ts` renders it for the path. A database
 * that does not answer is 503 at every step.
 *
 * A transport calls the three functions in turn, and reads its own message format between them: REST, MCP or pages.
 */

export const routeRequest = (edge: Edge, routes: Routes<Endpoint>, exchange: Exchange): Promise<Answer> => {
  checkHost(exchange, edge.hosts); //                                     1  400 bad_request, 403 forbidden
  checkOrigin(exchange, edge.appUrl, edge.hosts);
  const found = findPath(routes, exchange.path); //                       2  404 not_found
  exchange.route = found.path;
  const endpoint = findMethod(found, exchange.method); //                 3  405 method_not_allowed

  exchange.deadline = Deadline.in(endpoint.limitMs);
  return exchange.deadline.run(() => endpoint.answer(exchange, found.params));
};

/** Steps 4 to 6 admit the caller, whom the transport identifies in its own way. */
export const admit = async (exchange: Exchange, identified: Promise<Caller>): Promise<Caller> => {
  const caller = await identified; //                                     4  401 unauthorized
  checkWindow(exchange.rate); //                                          5  429 rate_limited
  checkSuspension(caller); //                                             6  403 forbidden
  return caller;
};

/** An operation as a transport calls it. */
export type Call = {
  operation: OperationDeclaration;
  idempotencyKeys: readonly string[];
  /** What this transport calls the Idempotency-Key. */
  keyField: string;
  /** Reads the input; called only after the scope was checked. */
  parts: () => Promise<Parts>;
};

/** Steps 7 to 15 run the operation: one function for REST and MCP, so equal arguments have equal outcomes (I63). */
export const perform = async (edge: Edge, exchange: Exchange, caller: Caller, call: Call): Promise<Done> => {
  const { operation } = call;
  exchange.operation = operation.name;
  checkScope(operation, caller.principal); //                             7  403 forbidden
  const sentKey = idempotencyKeyOf(operation, call.idempotencyKeys, call.keyField);
  const parts = await call.parts();
  const { input, explicit, body, key } = validate(operation, parts, sentKey); // 8, 9  400 bad_request
  await checkValues(edge, exchange, caller, operation, body); //         10  422 unprocessable
  const resetting = duringReset(caller, operation);
  if (resetting !== null) return refusedWith(resetting);
  const fault = await armedFault(edge, exchange, caller, operation);
  if (fault !== null) {
    exchange.simulated = true;
    return refusedWith(fault);
  }
  const { upload } = parts;
  const fingerprinted = upload === undefined ? explicit : { ...explicit, body_sha256: upload.sha256 };
  const command = await claimCommand(edge, exchange, caller, operation, key, fingerprinted); // 11  429, 409

  const ctx = contextOf(exchange, caller, command, await edge.switches.current(), limitOf(operation));
  const file = upload === undefined ? {} : { upload: await sendUpload(edge, ctx, upload) };
  // The owning service runs the last four (`libs/service/src/commands/run-write.ts`, then the operation):
  //   12 writes are open           503 unavailable
  //   13 object, state, mandate    404, 409, 403
  //   14 business limits, meters   429 rate_limited
  //   15 effect, deadline          2xx, 500, 502, 503
  const done = await dispatch(edge, ctx, operation, { ...input, ...file });
  exchange.cookies.push(...cookiesOf(ctx));
  if (done.ok && simulatesSomeone(operation)) await edge.awaitPropagation(ctx);
  return done;
};

/** Whether an operation acts for somebody: the next request finds what it caused (docs/domain/sandbox.md#sandbox). */
const simulatesSomeone = ({ audience, effect, service }: OperationDeclaration): boolean =>
  audience === 'sandbox' && effect === 'write' && service !== 'gateway';

/**
 * Step 10: every wrong value of the body as one 422, with what only the owning service knows
 * (docs/domain/plans.md#campaign-input).
 */
const checkValues = async (
  edge: Edge,
  exchange: Exchange,
  caller: Caller,
  operation: OperationDeclaration,
  { sent, wrong }: Shaped['body'],
): Promise<void> => {
  if (wrong.length === 0) return;
  if (operation.judge === undefined) throw unprocessable(withSafeNames(wrong));

  const ctx = contextOf(exchange, caller, null, await edge.switches.current(), LIMIT_MS.read);
  const further = await judged(edge, ctx, operation.judge, sent);
  throw unprocessable(withSafeNames(inOrderOf(Object.keys(operation.body?.shape ?? {}), sent, [...wrong, ...further])));
};

const judged = async (edge: Edge, ctx: Ctx, judge: string, sent: Record<string, unknown>) => {
  const reply = await edge.bus.send(judge as OperationName, ctx, { sent }, ctx.deadline.remainingMs());
  if (!reply.ok) throw new AppError(reply.error.code, reply.error.message, reply.error.details);
  return (parseBytes(reply.bytes) as Output<'campaign_input_problems'>).problems;
};

/** Writes wait for a reset, except for what the gateway itself keeps, such as keys (docs/domain/sandbox.md#reset). */
const duringReset = (
  { resetting }: Pick<Caller, 'resetting'>,
  { name, effect, service, audience }: OperationDeclaration,
): AppError | null => {
  const isRemoved = service !== 'gateway' || audience === 'sandbox';
  if (!resetting || effect === 'read' || name === 'sandbox_reset' || !isRemoved) return null;
  return unavailable('This sandbox is being reset. Send the request again in a second.', 1);
};

/**
 * What an armed fault answers in place of the service (docs/domain/sandbox.md#faults); null without one. The request
 * gets the time of its delay on top.
 */
const armedFault = async (
  edge: Edge,
  exchange: Exchange,
  { principal, faultsArmed, networkNow }: Caller,
  { name, audience }: OperationDeclaration,
): Promise<AppError | null> => {
  if (!faultsArmed || audience !== 'brand') return null;
  const fault = await edge.takeFault(principal.workspace, name, networkNow);
  if (fault === null) return null;

  if (fault.delayMs > 0) {
    exchange.deadline.extend(exchange.deadline.remainingMs() + fault.delayMs);
    await delay(fault.delayMs);
  }
  return fault.error;
};

const DAY_MS = 86_400_000;
/** How long a service keeps the answer of a write (docs/reliability.md#idempotency), and we keep its claim. */
const KEPT_MS = 30 * DAY_MS;

/** A write counts once for each of so many bytes of its arguments, which answers and events repeat. */
const WRITE_BYTES = 4_096;

/**
 * Counts a write in the day of the key and its parent before anything is stored. Beyond the limit only retries pass.
 * Returns whether it counted; raises rate_limited (daily_writes).
 */
const countWrite = async (
  edge: Edge,
  exchange: Exchange,
  { principal }: Caller,
  { id, fp }: Command,
  explicit: Record<string, unknown>,
): Promise<boolean> => {
  const { key, parent, person } = principal;
  if (key === '' || person !== undefined) return false;
  const uses = Math.ceil(Buffer.byteLength(JSON.stringify(explicit)) / WRITE_BYTES);
  const used = await edge.quotas.use(WRITE_QUOTA, parent?.key ?? key, uses);
  if (!used.refused) return true;
  if (await edge.claims.wasCounted(id, fp, exchange.deadline.remainingMs())) return false;
  const scope = parent === undefined ? WRITE_QUOTA.scope : 'parent';
  checkQuota(used, { ...WRITE_QUOTA, scope, ...(uses > 1 && { has: tooLarge(uses) }) });
  return false;
};

const tooLarge = (uses: number): string =>
  `write counts as ${uses} of the key's ${WRITE_QUOTA.limit} writes of a day, and fewer are left of today's`;

/** Step 11: an Idempotency-Key belongs to the service that it was first used for. Null without a key. */
const claimCommand = async (
  edge: Edge,
  exchange: Exchange,
  caller: Caller,
  operation: OperationDeclaration,
  key: string | null,
  explicit: Record<string, unknown>,
): Promise<Command | null> => {
  if (key === null) return null;
  const command = { id: commandId(caller.commandOwner, key), fp: requestFingerprint(operation.name, explicit) };
  const isCounted = await countWrite(edge, exchange, caller, command, explicit);
  const counted = isCounted ? { fp: command.fp, keptMs: keptDays(operation.name) * DAY_MS } : null;
  const { id } = command;
  const owner = await edge.claims.take(
    id,
    operation.service,
    { keptMs: KEPT_MS, counted },
    exchange.deadline.remainingMs(),
  );
  if (owner !== operation.service) throw idempotencyConflict();
  return command;
};
