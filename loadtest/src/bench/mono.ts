import { SALE } from '@cds/catalog/bench';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { type Document, MongoClient } from 'mongodb';
import { type Admitted, type KeyStatement, openKeys, served } from './duties.js';
import { answersOf, creatorsOn, listing } from './listing.js';

/**
 * The reference `mono`: one Fastify process that does what the whole system does for a request (key statement, minute
 * window, rate headers, request id, one access log line, the same statements, the same answer) on the same MongoDB,
 * without bus and services. Its answers are texts in memory.
 *
 *   node mono.js <port> <mongodb uri> <database> <pepper base64> <one|gather>
 */
const [port = '0', uri = '', database = '', pepper = '', statement = 'one'] = process.argv.slice(2);

const client = await MongoClient.connect(uri, { writeConcern: { w: 'majority', journal: true }, maxPoolSize: 64 });
const db = client.db(database);
const copied = (name: string) => db.collection<Document & { _id: string }>(name);
const admit = openKeys(copied('keys'), Buffer.from(pepper, 'base64'), statement as KeyStatement);
const answers = await answersOf(db);
const list = listing(db, creatorsOn(answers.get('creators')));
const quote = JSON.parse(answers.get('quote') ?? 'null') as unknown;

const readQuote = async (key: Admitted, id: string): Promise<string | null> => {
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
};

const app = fastify({ logger: false });
const get = (path: string, read: (key: Admitted, id: string) => Promise<string | null>) =>
  app.get(`/api/v1${path}`, (request: FastifyRequest, reply: FastifyReply) =>
    served(request, reply, admit, (key) => read(key, (request.params as { id: string }).id)),
  );
get('/inventory', async () => answers.get('inventory') ?? '{}');
get('/creators', async (key) => ((await list(key)) ? (answers.get('creators') ?? '{}') : null));
get('/plans/:id/quote', readQuote);

await app.listen({ port: Number(port), host: '127.0.0.1' });
process.send?.('ready');
