import { AppError, type Problem } from '@cds/contracts';
import { dayOf } from '@cds/service/calendar';
import { CsvRecords, otherSeparator } from '@cds/service/csv';
import { dayOrInstantIn, isFields } from '../domain/import/formats/fields.js';
import { JsonElements, MalformedJson, parsed } from '../domain/import/formats/json-elements.js';
import { readNeutral } from '../domain/import/formats/neutral.js';
import { X_LISTS, X_SINGLES, XPages } from '../domain/import/formats/x-api.js';
import { columnsOf, readPosts } from '../domain/import/formats/x-csv.js';
import type { ImportSource } from '../domain/import/import-source.js';
import type { Stated } from '../domain/import/stated.js';
import { Batches, type ImportWanted, type Progress } from './import-batches.js';
import { type Claims, claimsOf, type Importer, type ImportReport } from './importer.js';

export type ImportFile = { type: 'json' | 'csv'; text: () => AsyncIterable<string> };

const AS_OF_REQUIRED = 'is required and must be an ISO 8601 date-time';
const IN_THE_FUTURE = 'must not be in the future';

const refusedFor = (problems: Problem[]): AppError =>
  new AppError('unprocessable', 'The file cannot be imported. Correct it and send it again.', { problems });
const refusedFile = (field: string, message: string): AppError => refusedFor([{ field, message }]);

export const importFile = async (
  importer: Importer,
  file: ImportFile,
  wanted: ImportWanted,
  progress: Progress = async () => undefined,
): Promise<ImportReport> => {
  try {
    return await (file.type === 'csv' ? importCsv : importJson)(importer, file, wanted, progress);
  } catch (error) {
    if (error instanceof MalformedJson) throw refusedFile('body', 'must be valid JSON');
    if (error instanceof TypeError && /encod/i.test(error.message)) throw refusedFile('body', 'must be UTF-8');
    throw error;
  }
};

type Top = { version: unknown; asOf: unknown; source: unknown; lists: ReadonlySet<string>; claims: Claims };

const LISTS: ReadonlySet<string> = new Set(['creators', ...X_LISTS]);

/** The scalars may follow the lists. */
const topOf = async (file: ImportFile): Promise<Top> => {
  const elements = new JsonElements(LISTS, X_SINGLES);
  const scalars = new Map<string, unknown>();
  const lists = new Set<string>();
  const claims = new Map<string, string>();
  for await (const chunk of file.text())
    for (const { path, json } of elements.push(chunk)) {
      // Every value is parsed here too, so that invalid JSON anywhere changes nothing.
      const value = parsed(json);
      if (path === 'creators' && isFields(value)) {
        const { network_id: id, handle } = value;
        if (typeof id === 'string' && typeof handle === 'string') claims.set(id, handle.toLowerCase());
      }
      if (LISTS.has(path)) lists.add(path);
      else if (json.length < 100) scalars.set(path, value);
    }
  elements.end();
  return { version: scalars.get('version'), asOf: scalars.get('as_of'), source: scalars.get('source'), lists, claims };
};

const SOURCES: ReadonlySet<unknown> = new Set(['network', 'operator', 'creator']);

const problemsOf = ({ version, source }: Top, asOf: Date | null): Problem[] => [
  ...(version === 1 ? [] : [{ field: 'version', message: 'must be 1' }]),
  ...(asOf === null ? [{ field: 'as_of', message: AS_OF_REQUIRED }] : []),
  ...(SOURCES.has(source) ? [] : [{ field: 'source', message: 'must be one of network, operator, creator' }]),
];

const importJson = async (
  importer: Importer,
  file: ImportFile,
  wanted: ImportWanted,
  progress: Progress,
): Promise<ImportReport> => {
  const top = await topOf(file);
  const neutral = top.version !== undefined || top.lists.has('creators');
  if (!neutral && top.lists.size === 0) throw refusedFile('body', 'must contain creators, or data of the X API');
  const stated = neutral ? dayOrInstantIn(top.asOf) : wanted.asOf;
  const problems = neutral ? problemsOf(top, stated) : [];
  if (problems.length > 0) throw refusedFor(problems);

  // A neutral file states its own date for each of its creators; otherwise the request does.
  const ahead = neutral && stated !== null && stated > wanted.networkNow;
  const asOf = ahead ? stated : asOfIn(stated, wanted);
  const viewsSource = neutral && top.source === 'creator' ? 'creator' : 'network';
  const batchesOf = (claims: Claims) =>
    new Batches(importer, sourceOf(asOf, viewsSource, wanted), wanted, progress, claims);
  const batches = batchesOf(top.claims);
  const elements = new JsonElements(LISTS, X_SINGLES);
  const pages = new XPages(asOf);
  for await (const chunk of file.text())
    for (const { path, index, json } of elements.push(chunk)) {
      if (ahead && path === 'creators') batches.refuse([{ row: index, field: 'as_of', message: IN_THE_FUTURE }]);
      else if (neutral && path === 'creators')
        await batches.take(readNeutral(parsed(json), index, dayOf(asOf), dayOf(wanted.networkNow)));
      else if (!neutral && LISTS.has(path)) pages.take(path, index, parsed(json));
    }
  if (neutral) return batches.finish();
  const { rows, refused } = pages.finish();
  const ofPages = batchesOf(claimsOf(rows));
  ofPages.refuse(refused);
  for (const row of rows) await ofPages.take(row);
  return ofPages.finish();
};

const importCsv = async (
  importer: Importer,
  file: ImportFile,
  wanted: ImportWanted,
  progress: Progress,
): Promise<ImportReport> => {
  const { creator } = wanted;
  if (creator === null) throw refusedFile('body', 'must be JSON. Import a CSV through the facts of its creator');
  const asOf = asOfIn(wanted.asOf, wanted);
  const reader = new CsvRecords();
  const records: string[][] = [];
  for await (const chunk of file.text()) records.push(...reader.push(chunk));
  if (reader.unclosed) throw refusedFile('body', 'has a quote that is never closed');
  const [header = [], ...rows] = [...records, ...reader.end()];
  const columns = columnsOf(header);
  if (columns === null)
    throw refusedFile('body', otherSeparator(header) ?? 'must begin with the header of an X analytics export');

  const read = readPosts(columns, rows, { handle: creator.handle, now: wanted.networkNow });
  const stated: Stated = { network_id: creator.networkId, handle: creator.handle, posts: read.posts, units: [] };
  const batches = new Batches(importer, sourceOf(asOf, 'creator', wanted), wanted, progress, new Map());
  // A file without a readable row says nothing about the creator.
  if (read.readable) await batches.take({ row: 0, stated, refused: read.refused });
  else batches.refuse(read.refused);
  return batches.finish();
};

const asOfIn = (asOf: Date | null, { networkNow }: ImportWanted): Date => {
  if (asOf === null) throw refusedFile('as_of', AS_OF_REQUIRED);
  if (asOf > networkNow) throw refusedFile('as_of', IN_THE_FUTURE);
  return asOf;
};

const sourceOf = (
  asOf: Date,
  viewsSource: 'network' | 'creator',
  { networkNow, setBy }: ImportWanted,
): ImportSource => ({
  asOf,
  recordedAt: networkNow,
  viewsSource,
  setBy,
});
