import type { MongoClient } from 'mongodb';
import type { Stack } from '../../../tools/lib/stack.js';

/** Statements of one kind on one collection: how often they ran, and the microseconds that the database took in all. */
export type Usage = { count: number; time: number };

const NOTHING: Usage = { count: 0, time: 0 };
const KINDS = ['queries', 'getmore', 'insert', 'update', 'remove', 'commands'];

/** What ran on the system's collections so far, by `service.collection kind`. */
export const statementsSoFar = async (
  client: MongoClient,
  { prefix }: Pick<Stack, 'prefix'>,
): Promise<ReadonlyMap<string, Usage>> => {
  const { totals } = await client.db('admin').command({ top: 1 });
  const own = `${prefix}cds_`;
  return new Map(
    Object.entries(totals as Record<string, Record<string, Usage>>)
      .filter(([collection]) => collection.startsWith(own))
      .flatMap(([collection, kinds]) =>
        KINDS.map((kind) => [`${collection.slice(own.length)} ${kind}`, kinds[kind] ?? NOTHING] as const),
      ),
  );
};

/** What ran between two of them: how often, and the microseconds of one. */
export const statementsBetween = (
  before: ReadonlyMap<string, Usage>,
  after: ReadonlyMap<string, Usage>,
): { collection: string; kind: string; count: number; micros: number }[] =>
  [...after].flatMap(([name, { count, time }]) => {
    const { count: then, time: thenTime } = before.get(name) ?? NOTHING;
    const [collection = '', kind = ''] = name.split(' ');
    const ran = count - then;
    return ran === 0 ? [] : [{ collection, kind, count: ran, micros: Math.round((time - thenTime) / ran) }];
  });
