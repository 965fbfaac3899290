import { SALE } from '@cds/catalog/bench';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { type Document, MongoClient } from 'mongodb';
import { type Admitted, accessLog, headersOf, isRefused, type KeyStatement, openKeys } from './duties.js';
import { creatorsOn, listing } from './listing.js';

/**
 * The reference `mono`: one Fastify process that does what the whole system does for a request (key statement, minute
 * window, rate headers, request id, one access log line, the same statements, the same answer) on the same MongoDB,
 * without bus and services.
 *
 *   node mono.js <port> <mongodb uri> <database> <pepper base64> <one|gather>
 */
const [port = '0', uri = '', database = '', pepper = '', statement = 'one'] = process.argv.slice(2);

const client = await MongoClient.connect(uri, { writeConcern: { w: 'majority', journal: true }, maxPoolSize: 64 });
const db = client.db(database);
const copied = (name: string) => db.collection<Document & { _id: string }>(name);
const admit = openKeys(copied('keys'), Buffer.from(pepper, 'base64'), statement as KeyStatement);
const answers = new Map(
  (await db.collection<{ _id: string; json: string }>('answers').find().toArray()).map((row) => [row._id, row.json]),
);

const serve = async (
  request: FastifyRequest,
  reply: FastifyReply,
  read: (key: Admitted) => Promise<string | null> | string,
): Promise<FastifyReply> => {
  const started = performance.now();
  const key = await admit(request.headers.authorization);
  if (key === null) return reply.code(401).send({ error: { code: 'unauthorized', message: 'No key.' } });
  const headers = headersOf(key);
  void reply.headers(headers);
  const body = isRefused(key) ? null : await read(key);
  const status = body === null ? 429 : 200;
  accessLog.info(
    {
      request_id: headers['x-request-id'],
      method: request.method,
      route: request.routeOptions.url,
      status,
      duration_ms: performance.now() - started,
    },
    'request',
  );
  return reply.code(status).send(body ?? '{"error":{"code":"rate_limited"}}');
};

const app = fastify({ logger: false });

const inventory = answers.get('inventory') ?? '{}';
app.get('/api/v1/inventory', (request, reply) => serve(request, reply, () => inventory));

/** The page is sent from memory, like the system's rows. */
const page = answers.get('creators') ?? '{}';
const list = listing(db, creatorsOn(answers.get('creators')));
app.get('/api/v1/creators', (request, reply) =>
  serve(request, reply, async (key) => ((await list(key)) ? page : null)),
);

/**
 * What the services read for a quote, without the other plans that share its creators, then the captured answer,
 * encoded again.
 */
const quote = JSON.parse(answers.get('quote') ?? 'null') as unknown;
app.get('/api/v1/plans/:id/quote', (request, reply) =>
  serve(request, reply, async (key) => {
    const { id } = request.params as { id: string };
    const plan = await copied('plans').findOne({ _id: id, ws: key.ws });
    if (plan === null) return null;
    const unitIds = (plan['lines'] as { unit_id: string }[]).map((line) => line.unit_id);
    const [, sellers] = await Promise.all([
      copied('campaigns').findOne({ _id: plan['campaign_id'] as string, ws: key.ws }),
      copied('creators')
        .find({ 'units.unit_id': { $in: unitIds } }, { projection: SALE })
        .toArray(),
      copied('authority').findOne({ _id: key.key_id }),
      copied('terms').find().sort({ number: -1 }).limit(1).toArray(),
    ]);
    return sellers.length === 0 ? null : JSON.stringify(quote);
  }),
);

await app.listen({ port: Number(port), host: '127.0.0.1' });
process.send?.('ready');
