import { AppError, type ErrorBody, operationByName } from '@cds/contracts';
import { counterOf, histogramOf, ofRequest, publicError, readingOf } from '@cds/service';
import { context as otelContext, propagation, SpanKind, trace } from '@opentelemetry/api';
import { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, fastify, LogController } from 'fastify';
import type { Edge } from './edge.js';
import type { Endpoint } from './endpoint.js';
import { accessLine } from './http/access-line.js';
import { type Answer, headersOf } from './http/answer.js';
import { type Exchange, headerValues, openExchange } from './http/exchange.js';
import { connectAnswer, malformedAnswer, type Refused } from './http/malformed-request.js';
import { routeRequest } from './lifecycle.js';
import type { Routes } from './routes.js';
import { rateHeaders } from './steps/rate.js';

export type ErrorRenderer = (error: ErrorBody, status: number | undefined, headers: Record<string, string>) => Answer;

type Socket = FastifyRequest['raw']['socket'];

export type PublicEndpoints = {
  routes: Routes<Endpoint>;
  /** `astray` where a browser opened an address at which nothing is served. */
  errorsAt: (path: string, astray: boolean) => ErrorRenderer;
};

/** How long a client may take to send a request, and how large its headers may be. */
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_HEADER_BYTES = 32 * 1024;
/** How often a closing server looks for connections on which nothing runs any more. */
const SWEEP_MS = 50;

const answered = counterOf('cds_http_requests_total');
const durations = histogramOf('cds_http_request_duration_seconds');

/** A person's browser asks for a page; programs ask for anything or for JSON. */
const isBrowser = ({ method, raw }: Exchange): boolean =>
  (method === 'GET' || method === 'HEAD') && headerValues(raw, 'accept').some((value) => value.includes('text/html'));

const answer = async (edge: Edge, endpoints: PublicEndpoints, exchange: Exchange): Promise<Answer> => {
  try {
    return await routeRequest(edge, endpoints.routes, exchange);
  } catch (error) {
    const { body, status } = publicError(error, edge.log, exchange.operation || exchange.route);
    const headers = error instanceof AppError ? headersOf(error) : {};
    const astray = exchange.route === '' && body.code === 'not_found' && isBrowser(exchange);
    return endpoints.errorsAt(exchange.path, astray)(body, status, headers);
  }
};

const traced = (edge: Edge, endpoints: PublicEndpoints, exchange: Exchange): Promise<Answer> => {
  // Only a caller's trace is continued; for a trace that starts here, the sampler decides.
  const parent = exchange.trace.received
    ? propagation.extract(otelContext.active(), { traceparent: exchange.trace.traceparent })
    : otelContext.active();
  const { requestId, trace: own } = exchange;
  return otelContext.with(ofRequest(parent, { requestId, traceId: own.traceId }), () =>
    trace.getTracer('edge').startActiveSpan(exchange.method, { kind: SpanKind.SERVER }, async (span) => {
      const done = await answer(edge, endpoints, exchange);
      span.updateName(`${exchange.method} ${exchange.route}`);
      span.setAttribute('http.response.status_code', done.status);
      span.end();
      accessLine(edge.log, exchange, done);
      noteAnswer(exchange, done);
      return done;
    }),
  );
};

/** Whether a request takes as long as its caller wants to wait for something to happen. */
const waits = ({ operation }: Exchange): boolean => operationByName(operation)?.waits === true;

/**
 * A simulated fault, and the time that a caller chose to wait, do not count in the promises
 * (deploy/observability/alerts.yaml).
 */
const noteAnswer = (exchange: Exchange, { code, reason = '' }: Answer): void => {
  const { operation, route, startedAt, simulated = false } = exchange;
  const endpoint = operation || route || 'none';
  const effect = simulated ? 'other' : (operationByName(operation)?.effect ?? 'other');
  answered.add(1, { endpoint, effect, code, reason });
  durations.record((performance.now() - startedAt) / 1_000, { endpoint, effect: waits(exchange) ? 'other' : effect });
};

/** A proxy that keeps a stream, or waits until its buffer is full, delivers events late. */
const STREAM_HEADERS = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };

const headersFor = (exchange: Exchange, { headers }: Answer): Record<string, string | string[]> => ({
  'x-request-id': exchange.requestId,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  ...(exchange.rate === null ? {} : rateHeaders(exchange.rate)),
  ...(exchange.cookies.length === 0 ? {} : { 'Set-Cookie': exchange.cookies }),
  ...headers,
  ...(headers['Content-Type']?.startsWith('text/event-stream') === true ? STREAM_HEADERS : {}),
});

/** Fastify's router, parsers and error texts are bypassed: every request goes through `edge/lifecycle.ts`. */
export const makeServer = (
  edge: Edge,
  endpoints: PublicEndpoints,
  trustedProxies: readonly string[],
): FastifyInstance => {
  const app: FastifyInstance = fastify({
    loggerInstance: edge.log as FastifyBaseLogger,
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => '',
    rewriteUrl: () => '/',
    // Only the client's address is taken from proxies; their Host and scheme are ignored.
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    clientErrorHandler: (error, socket) => {
      if (socket.writable) socket.end(malformedAnswer(error as unknown as Refused));
      else socket.destroy();
    },
  });

  const running = new Set<Exchange>();
  // Replicas are added by it, and a request that waits for events costs next to nothing.
  readingOf('cds_http_requests_running', () => [...running].filter((exchange) => !waits(exchange)).length);
  const unasked = closeUnused(app);
  app.addHook('onRequest', async (request, reply) => {
    unasked.delete(request.raw.socket);
    const exchange = openExchange(request);
    running.add(exchange);
    const done = await traced(edge, endpoints, exchange).finally(() => running.delete(exchange));
    // Of an empty text Fastify says the length 0, which a 304 must not (RFC 9110, 8.6).
    const body = done.body === '' ? undefined : done.body;
    void reply.code(done.status).headers(headersFor(exchange, done)).send(body);
    edge.requestLog.add(exchange, done);
    return reply;
  });
  // Node closes the connection of a CONNECT that nobody handles.
  app.server.on('connect', (request, socket) => socket.end(connectAnswer(request)));
  // An Expect header other than 100-continue is ignored.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app;
};

/**
 * Lets a server close as soon as its requests have ended: Node waits for connections that pools open ahead. Returns
 * these.
 */
const closeUnused = (app: FastifyInstance): Set<Socket> => {
  const unasked = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unasked.add(socket);
    socket.once('close', () => unasked.delete(socket));
  });
  app.addHook('preClose', async () => {
    const timer = setInterval(() => {
      app.server.closeIdleConnections();
      for (const socket of unasked) socket.destroy();
    }, SWEEP_MS);
    app.server.once('close', () => clearInterval(timer));
  });
  return unasked;
};
