import { createHmac, createSecretKey, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Collection, Document } from 'mongodb';
import { pino } from 'pino';
import { Batcher } from './batcher.js';
import { type Batch, batchedFields, windowFields } from './window.js';

/** A key that a reference admitted, as its statement left it. */
export type Admitted = { ws: string; key_id: string; n: number; seen_at: Date };

/** One key statement per request, or one for all that arrive meanwhile (docs/reliability.md#authentication). */
export type KeyStatement = 'one' | 'gather';

type KeyDoc = Document & Admitted & { _id: string; recent: Batch[] };

const LIMIT = 60;
const FAR = new Date('9999-01-01T00:00:00.000Z');
const OPTIONS = { returnDocument: 'after', writeConcern: { w: 1 }, projection: { secret_hmac: 0 } } as const;

/** The system's key statement, on a reference's own copy of the keys; null for an unknown key. */
export const openKeys = (rows: Collection<Document & { _id: string }>, pepper: Buffer, statement: KeyStatement) => {
  // The reference reads the rows as the gateway stores them.
  const keys = rows as unknown as Collection<KeyDoc>;
  const secretKey = createSecretKey(pepper);
  const opened = (text: string): Document => ({
    _id: text.slice(9, 21),
    secret_hmac: { $in: [`1:${createHmac('sha256', secretKey).update(text.slice(22, 65)).digest('base64url')}`] },
    revoked_at: null,
    $expr: { $gt: [{ $ifNull: ['$expires_at', FAR] }, '$$NOW'] },
  });
  const one = async (text: string): Promise<Admitted | null> =>
    keys.findOneAndUpdate(opened(text), [{ $set: windowFields(LIMIT) }], OPTIONS);

  const many = async (texts: readonly string[]): Promise<(Admitted | null | Promise<Admitted | null>)[]> => {
    const batches = new Map<string, { batch: string; wants: number }>();
    const places = texts.map((text) => {
      const held = batches.get(text) ?? { batch: randomUUID(), wants: 0 };
      batches.set(text, held);
      held.wants += 1;
      return { text, batch: held.batch, index: held.wants - 1 };
    });
    const updates = [...batches].map(([text, { batch, wants }]) => ({
      q: opened(text),
      u: [{ $set: batchedFields(LIMIT, batch, wants) }],
    }));
    await keys.db.command({ update: keys.collectionName, updates, ordered: false, writeConcern: { w: 1 } });
    const ids = [...batches.keys()].map((text) => text.slice(9, 21));
    const found = await keys
      .find({ _id: { $in: ids } }, { projection: { secret_hmac: 0 }, batchSize: ids.length + 1 })
      .toArray();
    const byId = new Map(found.map((row) => [row._id, row]));
    return places.map(({ text, batch, index }) => {
      const row = byId.get(text.slice(9, 21));
      const own = row?.recent.find((held) => held.batch === batch);
      if (row === undefined) return null;
      return own === undefined
        ? one(text)
        : { ...row, n: Math.min(own.before + index + 1, LIMIT + 1), seen_at: own.at };
    });
  };

  const batcher = new Batcher<string, Admitted | null>({ keyOf: (text) => text.slice(9, 21), one, many });
  return (authorization: string | undefined): Promise<Admitted | null> => {
    const text = (authorization ?? '').slice('Bearer '.length);
    return statement === 'one' ? one(text) : batcher.add(text);
  };
};

const headersOf = (key: Admitted): Record<string, string | number> => {
  const reset = 60 - (Math.floor(key.seen_at.getTime() / 1000) % 60);
  const left = Math.max(0, LIMIT - key.n);
  return {
    'x-request-id': `req_${randomUUID()}`,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'ratelimit-limit': LIMIT,
    'ratelimit-remaining': left,
    'ratelimit-reset': reset,
    'ratelimit-policy': '"minute";q=60;w=60',
    ratelimit: `"minute";r=${left};t=${reset}`,
  };
};

const accessLog = pino({ level: 'info' }, pino.destination({ dest: '/dev/null', sync: false }));

/** What the system does around a read: it admits the key, sets its headers, and writes one access line. */
export const served = async <T>(
  request: FastifyRequest,
  reply: FastifyReply,
  admit: ReturnType<typeof openKeys>,
  read: (key: Admitted) => Promise<T | null>,
): Promise<T | object> => {
  const started = performance.now();
  const key = await admit(request.headers.authorization);
  if (key === null) {
    void reply.code(401);
    return { error: { code: 'unauthorized', message: 'No key.' } };
  }
  const headers = headersOf(key);
  const body = key.n > LIMIT ? null : await read(key);
  const status = body === null ? 429 : 200;
  void reply.headers(headers).code(status);
  const { url: route } = request.routeOptions;
  const duration_ms = performance.now() - started;
  accessLog.info(
    { request_id: headers['x-request-id'], method: request.method, route, status, duration_ms },
    'request',
  );
  return body ?? { error: { code: 'rate_limited' } };
};
