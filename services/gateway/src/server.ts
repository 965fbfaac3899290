import { AppError, type ErrorBody } from '@cds/contracts';
import { publicError } from '@cds/service';
import { context as otelContext, propagation, SpanKind, trace } from '@opentelemetry/api';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { type Door, enter } from './edge/lifecycle.js';
import { accessLine } from './edge/http/access-line.js';
import { type Answer, headersOf } from './edge/http/answer.js';
import type { Edge } from './edge/edge.js';
import { type Exchange, openExchange } from './edge/http/exchange.js';
import { rateHeaders } from './edge/steps/rate.js';
import { unreadableAnswer } from './edge/http/malformed-request.js';
import type { Routes } from './edge/routes.js';

/** How an error is worded at a path: JSON, a page, or JSON-RPC. */
export type ErrorRenderer = (error: ErrorBody, status: number | undefined, headers: Record<string, string>) => Answer;

/** The public doors: the routes, and the paths whose errors are no plain JSON. */
export type PublicDoors = { routes: Routes<Door>; errorsAt: (path: string) => ErrorRenderer };

/** How long a client may take to send a request, and how large its headers may be. */
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_HEADER_BYTES = 32 * 1024;

/** Runs a request through its life and answers whatever came of it; never throws. */
const answer = async (edge: Edge, doors: PublicDoors, exchange: Exchange): Promise<Answer> => {
  try {
    return await enter(edge, doors.routes, exchange);
  } catch (error) {
    const { body, status } = publicError(error, edge.log, exchange.operation || exchange.route);
    const headers = error instanceof AppError ? headersOf(error) : {};
    return doors.errorsAt(exchange.path)(body, status, headers);
  }
};

const traced = (edge: Edge, doors: PublicDoors, exchange: Exchange): Promise<Answer> => {
  // Only a caller's own trace is continued: a trace begun here is the sampler's to decide.
  const parent = exchange.trace.received
    ? propagation.extract(otelContext.active(), { traceparent: exchange.trace.traceparent })
    : otelContext.active();
  return otelContext.with(parent, () =>
    trace.getTracer('edge').startActiveSpan(exchange.method, { kind: SpanKind.SERVER }, async (span) => {
      const done = await answer(edge, doors, exchange);
      span.updateName(`${exchange.method} ${exchange.route}`);
      span.setAttribute('http.response.status_code', done.status);
      span.end();
      return done;
    }),
  );
};

/** The headers of every answer of every door (domain 4-doors 11); the answer's own win. */
const everyHeader = (exchange: Exchange, { headers }: Answer): Record<string, string> => ({
  'x-request-id': exchange.requestId,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  ...(exchange.rate === null ? {} : rateHeaders(exchange.rate)),
  ...headers,
});

/**
 * The gateway's HTTP server. The framework's own router, parsers and error texts decide nothing: every request runs
 * through the stages of `app.ts`, whatever its method, path and content type.
 */
export const makeServer = (edge: Edge, doors: PublicDoors, trustedProxies: readonly string[]): FastifyInstance => {
  const app: FastifyInstance = fastify({
    loggerInstance: edge.log as FastifyBaseLogger,
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => '',
    rewriteUrl: () => '/',
    // Of what proxies report only the client's address is read: Host and scheme decide nothing here.
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    clientErrorHandler: (error, socket) => {
      if (socket.writable) socket.end(unreadableAnswer(error.code === 'HPE_HEADER_OVERFLOW'));
      else socket.destroy();
    },
  });

  app.addHook('onRequest', async (request, reply) => {
    const exchange = openExchange(request);
    const done = await traced(edge, doors, exchange);
    void reply.code(done.status).headers(everyHeader(exchange, done)).send(done.body);
    accessLine(edge.log, exchange, done);
    return reply;
  });
  // An Expect header other than 100-continue asks for nothing we refuse.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app;
};
