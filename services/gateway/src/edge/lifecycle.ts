import type { OperationDeclaration } from '@cds/contracts';
import { Deadline } from '@cds/service';
import { contextOf, limitOf } from './context.js';
import type { Edge } from './edge.js';
import type { Endpoint } from './endpoint.js';
import type { Answer } from './http/answer.js';
import { cookiesOf } from './http/cookies.js';
import type { Exchange } from './http/exchange.js';
import type { Routes } from './routes.js';
import type { Caller } from './steps/caller.js';
import { claimCommand } from './steps/command.js';
import { type Done, dispatch, refusedWith } from './steps/dispatch.js';
import { rehearsed } from './steps/fault.js';
import { checkHost, checkOrigin } from './steps/host.js';
import { idempotencyKeyOf } from './steps/idempotency.js';
import { checkWindow } from './steps/rate.js';
import { duringReset } from './steps/reset.js';
import { findMethod, findPath } from './steps/route.js';
import { checkScope, checkSuspension } from './steps/scope.js';
import { type Parts, validate } from './steps/validate.js';
import { checkValues } from './steps/values.js';
import { sendUpload } from './upload.js';

/**
 * The life of a request: fifteen steps, one below the other in the order of docs/domain/access.md#order-of-errors. The
 * first step that refuses raises the error behind its number, and `server.ts` renders it for the path. A database that
 * does not answer is 503 at every step.
 *
 * A transport calls the three functions in turn, and reads its own message format between them: REST, MCP or pages.
 */

/** Steps 1 to 3 find the endpoint. They cost the caller nothing. */
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

/** Steps 7 to 15 run the operation: one function for REST and MCP, so that equal arguments end alike (I63). */
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
  const fault = await rehearsed(edge, exchange, caller, operation);
  if (fault !== null) {
    exchange.rehearsed = true;
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

/**
 * Whether an operation acts for somebody in a sandbox: the next request finds what it caused
 * (docs/domain/access.md#sandbox).
 */
const simulatesSomeone = ({ audience, effect, service }: OperationDeclaration): boolean =>
  audience === 'sandbox' && effect === 'write' && service !== 'gateway';
