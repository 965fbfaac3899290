import { createHmac, randomUUID } from 'node:crypto';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Document, MongoClient } from 'mongodb';
import { pino } from 'pino';

/**
 * The reference `mono`: one Fastify process with the same duties as the whole system on one read (key statement, minute
 * window, rate headers, request id, one access line, the same answer) on the same MongoDB. No bus, no services.
 *
 *   node mono.js <port> <mongodb uri> <database> <pepper base64>
 */
const [port = '0', uri = '', database = '', pepper = ''] = process.argv.slice(2);
const PEPPER = Buffer.from(pepper, 'base64');
const FAR = new Date('9999-01-01T00:00:00.000Z');

const client = await MongoClient.connect(uri, { writeConcern: { w: 'majority', journal: true }, maxPoolSize: 64 });
const db = client.db(database);
const keys = db.collection<Document & { _id: string }>('keys');
const answers = new Map(
  (await db.collection<{ _id: string; json: string }>('answers').find().toArray()).map((row) => [row._id, row.json]),
);

type Admitted = Document & { ws: string; key_id: string; n: number; seen_at: Date };

/** The key statement of reliability 3.3, one request each. */
const admit = async (request: FastifyRequest): Promise<Admitted | null> => {
  const text = (request.headers.authorization ?? '').slice('Bearer '.length);
  const minute = { $dateTrunc: { date: '$$NOW', unit: 'minute' } };
  return (await keys.findOneAndUpdate(
    {
      _id: text.slice(9, 21),
      secret_hmac: { $in: [`1:${createHmac('sha256', PEPPER).update(text.slice(22, 65)).digest('base64url')}`] },
      revoked_at: null,
      $expr: { $gt: [{ $ifNull: ['$expires_at', FAR] }, '$$NOW'] },
    },
    [
      {
        $set: {
          n: { $cond: [{ $lt: [{ $ifNull: ['$win', new Date(0)] }, minute] }, 1, { $min: [{ $add: ['$n', 1] }, 61] }] },
          win: { $max: ['$win', minute] },
          seen_at: '$$NOW',
        },
      },
    ],
    { returnDocument: 'after', writeConcern: { w: 1 } },
  )) as Admitted | null;
};

const log = pino({ level: 'info' }, pino.destination({ dest: '/dev/null', sync: false }));

const serve = async (
  request: FastifyRequest,
  reply: FastifyReply,
  read: (key: Admitted) => Promise<string> | string,
): Promise<FastifyReply> => {
  const started = performance.now();
  const requestId = `req_${randomUUID()}`;
  const key = await admit(request);
  if (key === null) return reply.code(401).send({ error: { code: 'unauthorized', message: 'No key.' } });
  const reset = 60 - (Math.floor(key.seen_at.getTime() / 1000) % 60);
  const left = Math.max(0, 60 - key.n);
  void reply.headers({
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'ratelimit-limit': 60,
    'ratelimit-remaining': left,
    'ratelimit-reset': reset,
    'ratelimit-policy': '"minute";q=60;w=60',
    ratelimit: `"minute";r=${left};t=${reset}`,
  });
  const refused = key.n > 60;
  const body = refused ? '{"error":{"code":"rate_limited"}}' : await read(key);
  log.info(
    {
      request_id: requestId,
      method: request.method,
      route: request.routeOptions.url,
      status: refused ? 429 : 200,
      duration_ms: performance.now() - started,
    },
    'request',
  );
  return reply.code(refused ? 429 : 200).send(body);
};

const app = fastify({ logger: false });

app.get('/api/v1/inventory', (request, reply) => serve(request, reply, (key) => answers.get(key.ws) ?? '{}'));

/** The statements of a quote, as the services make them, then the answer encoded from the captured value. */
const copied = (name: string) => db.collection<Document & { _id: string }>(name);
const quote = JSON.parse(answers.get('quote') ?? 'null') as unknown;
app.get('/api/v1/plans/:id/quote', (request, reply) =>
  serve(request, reply, async (key) => {
    const { id } = request.params as { id: string };
    const plan = await copied('plans').findOne({ _id: id, ws: key.ws });
    if (plan === null) return '{"error":{"code":"not_found"}}';
    const unitIds = (plan['lines'] as { unit_id: string }[]).map((line) => line.unit_id);
    const [, sellers] = await Promise.all([
      copied('campaigns').findOne({ _id: plan['campaign_id'] as string, ws: key.ws }),
      copied('creators')
        .find({ 'units.unit_id': { $in: unitIds } }, { projection: { posts: 0, posts_summary: 0 } })
        .toArray(),
      copied('authority').findOne({ _id: key.key_id }),
      copied('terms').find().sort({ number: -1 }).limit(1).toArray(),
    ]);
    return sellers.length === 0 ? '{"error":{"code":"not_found"}}' : JSON.stringify(quote);
  }),
);

await app.listen({ port: Number(port), host: '127.0.0.1' });
process.send?.('ready');
