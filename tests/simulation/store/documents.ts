import { Aggregator, Query } from 'mingo';
import { applyOperators } from './operators.js';

/** A stored document. Ids of this system are strings. */
export type Doc = { [field: string]: unknown; _id: string };

type Plain = Record<string, unknown>;

/** What operators use besides the document: database time, other collections for a join, and a join's variables. */
export type Evaluation = { now: Date; collection: (name: string) => Doc[]; variables?: Plain };

/** A copy as the wire makes it: nothing is shared, and what is undefined arrives as null. */
export const copyOf = <T>(value: T): T => copied(value) as T;

const copied = (value: unknown): unknown => {
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return new Date(value.getTime());
  if (Array.isArray(value)) return value.map(copied);
  if (!isPlain(value)) return value; // Binary and its kind are never changed in place.
  const copy: Plain = {};
  for (const key of Object.keys(value)) copy[key] = copied(value[key]);
  return copy;
};

const isPlain = (value: object): value is Plain => {
  const prototype = Object.getPrototypeOf(value) as unknown;
  return prototype === Object.prototype || prototype === null;
};

const optionsOf = (of: Evaluation) => ({
  now: of.now,
  collectionResolver: of.collection,
  variables: of.variables ?? {},
});

const compiled = new Map<string, Query>();
const COMPILED_MOST = 5_000;

export const matching = (docs: readonly Doc[], filter: Plain, of: Evaluation): Doc[] => {
  if (docs.length === 0) return [];
  const query = JSON.stringify(filter).includes('$expr') ? new Query(filter, optionsOf(of)) : queryOf(filter);
  return docs.filter((doc) => query.test(doc));
};

/** Whether a filter without expressions, as a partial index has, matches a document. */
export const isMatch = (doc: Doc, filter: Plain): boolean => queryOf(filter).test(doc);

/** Filters repeat with other constants, so only those without dates and other objects are kept. */
const queryOf = (filter: Plain): Query => {
  if (hasInstances(filter)) return new Query(filter);
  const key = JSON.stringify(filter);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  if (compiled.size > COMPILED_MOST) compiled.clear();
  const query = new Query(filter);
  compiled.set(key, query);
  return query;
};

const hasInstances = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) ? value.some(hasInstances) : !isPlain(value) || Object.values(value).some(hasInstances));

/** The document after an update of operators or a pipeline; the one given is left alone. */
export const updated = (doc: Doc, filter: Plain, update: unknown, of: Evaluation): Doc => {
  const after = copyOf(doc);
  if (!Array.isArray(update)) {
    applyOperators(after, filter, copyOf(update) as Plain);
    return after;
  }
  const [changed] = new Aggregator(update as Plain[], optionsOf(of)).run([after]);
  return copyOf(changed) as Doc;
};

/** What an upsert begins with: the fields that its filter says are equal to something. */
export const seedOf = (filter: Plain): Plain => {
  const seed: Plain = {};
  for (const [field, wanted] of Object.entries(filter)) {
    if (field.startsWith('$') || field.includes('.')) continue;
    if (isOperators(wanted)) {
      if ('$eq' in wanted) seed[field] = copied(wanted['$eq']);
    } else seed[field] = copied(wanted);
  }
  return seed;
};

const isOperators = (value: unknown): value is Plain =>
  typeof value === 'object' &&
  value !== null &&
  isPlain(value) &&
  Object.keys(value).some((key) => key.startsWith('$'));

/** An update that inserts: `$setOnInsert` is `$set` then, and counts for nothing otherwise. */
export const insertingOf = (update: unknown, inserts: boolean): unknown => {
  if (Array.isArray(update)) return update;
  const { $setOnInsert: first, ...rest } = update as { $setOnInsert?: Plain; $set?: Plain };
  if (first === undefined || !inserts) return rest;
  return { ...rest, $set: { ...first, ...rest.$set } };
};

export const sorted = (docs: Doc[], sort: Record<string, 1 | -1> | undefined): Doc[] => {
  if (sort === undefined) return docs;
  return new Query({}).find<Doc>(docs).sort(sort).all();
};

export const projected = (doc: Doc, filter: Plain, projection: Plain | undefined): Doc => {
  if (projection === undefined) return copyOf(doc);
  const [found] = new Query(filter).find<Doc>([copyOf(doc)], projection).all();
  return copyOf(found ?? doc);
};

export const aggregated = (docs: readonly Doc[], pipeline: readonly Plain[], of: Evaluation): Plain[] => {
  let found: Plain[] = [...docs];
  let plain: Plain[] = [];
  const run = (): void => {
    if (plain.length > 0 && found.length > 0)
      found = copyOf(new Aggregator(plain, optionsOf(of)).run(found.map(copyOf)));
    plain = [];
  };
  for (const stage of pipeline) {
    if ('$match' in stage && plain.length === 0) found = matching(found as Doc[], stage['$match'] as Plain, of);
    else if (!('$lookup' in stage)) plain.push(stage);
    else {
      run();
      found = found.map((doc) => joined(doc, stage['$lookup'] as Lookup, of));
    }
  }
  run();
  return copyOf(found);
};

type Lookup = {
  from: string;
  as: string;
  localField?: string;
  foreignField?: string;
  /** Variables of the pipeline, each a field of the document. */
  let?: Record<string, string>;
  pipeline?: Plain[];
};

/** mingo's own `$lookup` ignores the fields when there is a pipeline beside them. */
const joined = (doc: Plain, lookup: Lookup, of: Evaluation): Plain => {
  const { from, as, localField, foreignField, pipeline = [] } = lookup;
  const wanted = localField === undefined ? null : new Set(valuesAt(doc, localField.split('.')));
  const met = of
    .collection(from)
    .filter(
      (other) => wanted === null || valuesAt(other, (foreignField ?? '').split('.')).some((one) => wanted.has(one)),
    );
  const variables = Object.fromEntries(
    Object.entries(lookup.let ?? {}).map(([name, field]) => [name, valueAt(doc, field.slice(1))]),
  );
  return { ...doc, [as]: aggregated(met, pipeline, { ...of, variables }) };
};

const valuesAt = (value: unknown, [name, ...rest]: readonly string[]): unknown[] => {
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return [value];
  return valuesAt((value as Plain | null | undefined)?.[name] ?? null, rest);
};

export const indexKey = (doc: Doc, fields: readonly string[]): string =>
  JSON.stringify(fields.map((field) => valueAt(doc, field)));

const valueAt = (doc: Plain, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at === null || at === undefined ? null : (at as Plain)[name]), doc) ??
  null;
