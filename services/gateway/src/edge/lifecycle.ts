import type { OperationDeclaration, Problem } from '@cds/contracts';
import { Deadline } from '@cds/service';
import type { Answer } from './http/answer.js';
import { type Caller, callerStage } from './steps/caller.js';
import { commandStage } from './steps/command.js';
import { contextOf, limitOf } from './context.js';
import { type Done, dispatch } from './steps/dispatch.js';
import type { Edge } from './edge.js';
import type { Exchange } from './http/exchange.js';
import { hostStage, originStage } from './steps/host.js';
import { idempotencyKeyOf } from './steps/idempotency.js';
import { windowStage } from './steps/rate.js';
import { badRequest } from './http/refusal.js';
import { scopeStage, suspendedStage } from './steps/scope.js';
import { sendUpload } from './upload.js';
import { type Parts, validate } from './steps/validate.js';
import { valuesStage } from './steps/values.js';
import { methodStage, pathStage, type Routes } from './routes.js';

/**
 * The life of a request, in the order of domain 4-doors 10: the first check that fails is answered. Each stage raises
 * an AppError or passes its finding on. `enter` is every request's beginning, `admit` adds the credential, and
 * `perform` is the rest, which both doors share.
 */

/** What answers at a path and method, and for how long it may try. */
export type Door = { limitMs: number; answer: (exchange: Exchange, params: Record<string, string>) => Promise<Answer> };

/** Checks 1 to 3, then the door. */
export const enter = (edge: Edge, routes: Routes<Door>, exchange: Exchange): Promise<Answer> => {
  hostStage(exchange, edge.hosts); // 1
  originStage(exchange, edge.appUrl, edge.hosts);
  const found = pathStage(routes, exchange.path); // 2
  exchange.route = found.path;
  const door = methodStage(found, exchange.method); // 3

  exchange.deadline = Deadline.in(door.limitMs);
  return exchange.deadline.run(() => door.answer(exchange, found.params));
};

/** Checks 4 to 6, of an operation's caller. */
export const admit = async (edge: Edge, exchange: Exchange, operation: OperationDeclaration): Promise<Caller> => {
  const caller = await callerStage(edge, exchange, operation); // 4
  windowStage(exchange.rate); // 5
  suspendedStage(caller.suspended); // 6
  return caller;
};

/** What a door makes of a request: its parts, read when their turn comes, and the Idempotency-Keys that came. */
export type Call = {
  operation: OperationDeclaration;
  idempotencyKeys: readonly string[];
  /** How this door names the Idempotency-Key. */
  keyField: string;
  parts: () => Promise<Parts>;
};

/** Checks 7 to 15: one function behind both doors, so that the same arguments end alike (I63). */
export const perform = async (edge: Edge, exchange: Exchange, caller: Caller, call: Call): Promise<Done> => {
  const { operation } = call;
  exchange.operation = operation.name;
  scopeStage(operation, caller.principal); // 7
  const key = keyStage(call); // 8
  const parts = await call.parts();
  const { input, explicit, body } = validate(operation, parts); // 9
  await valuesStage(edge, exchange, caller, operation, body); // 10
  const { upload } = parts;
  const said = upload === undefined ? explicit : { ...explicit, body_sha256: upload.sha256 };
  const command = await commandStage(edge, exchange, caller, operation, key, said); // 11

  const ctx = contextOf(exchange, caller, command, await edge.switches.current(), limitOf(operation));
  const file = upload === undefined ? {} : { upload: await sendUpload(edge, ctx, upload) };
  const done = await dispatch(edge, ctx, operation, { ...input, ...file }); // 12 to 15
  if (done.ok && isPlayed(operation)) await edge.settle(ctx);
  return done;
};

/** Whether an operation plays somebody's part in a sandbox: the next request finds what it caused (domain 4-doors 7). */
const isPlayed = ({ audience, effect, service }: OperationDeclaration): boolean =>
  audience === 'sandbox' && effect === 'write' && service !== 'gateway';

const keyStage = ({ operation, idempotencyKeys, keyField }: Call): string | null => {
  const found = idempotencyKeyOf(operation, idempotencyKeys, keyField);
  if ('problem' in found) throw badRequest([found.problem satisfies Problem]);
  return found.key;
};
