import { API_VERSION, ERROR_CODES, MANDATE_REASONS, refusalsOf } from '@cds/contracts';
import { type Call, callsOf, type Document } from './calls.js';
import { commentOf, docComment, fieldOf, isSchema, typeNameOf, typeOf } from './typescript.js';

const HEAD = '// Generated from libs/contracts by `npm run generate`. Do not edit.\n';

/** Names that a client has for something other than an operation. */
const TAKEN: ReadonlySet<string> = new Set(['call', 'each', 'events', 'request']);

export const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

const pascalCase = (name: string): string => {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
};

const nameOf = ({ operation }: Call): string => operation.name;

export const methodOf = (call: Call): string => {
  const method = camelCase(nameOf(call));
  return TAKEN.has(method) ? `${method}List` : method;
};

const inputOf = (call: Call): string => `${pascalCase(nameOf(call))}Input`;
const unionOf = (names: readonly string[]): string =>
  names.length === 0 ? 'never' : names.map((name) => `'${name}'`).join(' | ');

const resourcesFile = (document: Document): string => {
  const schemas = document.components?.schemas ?? {};
  const types = Object.entries(schemas).flatMap(([name, schema]) =>
    isSchema(schema) ? [`${commentOf(schema, '')}export type ${typeNameOf(name)} = ${typeOf(schema)};\n`] : [],
  );
  return `${HEAD}\n${types.join('\n')}`;
};

const inputType = (call: Call): string => {
  if (call.fields.length === 0) return `export type ${inputOf(call)} = Record<string, never>;\n`;
  const fields = call.fields.map(({ name, schema, required }) => fieldOf(name, schema, required, '  '));
  return `export type ${inputOf(call)} = {\n${fields.join('')}};\n`;
};

const codesOf = ({ operation }: Call): string[] => [...new Set(refusalsOf(operation).flatMap(({ codes }) => codes))];

const typesOfOperation = (call: Call): string =>
  [
    `  ${nameOf(call)}: {`,
    `    input: ${inputOf(call)};`,
    `    output: ${typeOf(call.answer, '    ')};`,
    `    codes: ${unionOf(codesOf(call))};`,
    `    conflicts: ${unionOf(call.operation.conflicts ?? [])};`,
    '  };\n',
  ].join('\n');

const IMPORT = (names: Iterable<string>, from: string): string =>
  `import type { ${[...names].sort().join(', ')} } from '${from}';\n`;

const usedIn = (text: string, document: Document): string[] => {
  const words = new Set(text.match(/\b[A-Z]\w+/g));
  return Object.keys(document.components?.schemas ?? {})
    .map(typeNameOf)
    .filter((name) => words.has(name));
};

const operationsFile = (document: Document, calls: readonly Call[]): string => {
  const types = [
    ...calls.map(inputType),
    '/** Of each operation its input and answer, the codes of its errors, and the reasons of its conflicts. */',
    `export interface Operations {\n${calls.map(typesOfOperation).join('')}}\n`,
  ].join('\n');
  return `${HEAD}${IMPORT(usedIn(types, document), './resources.js')}\n${types}`;
};

const isOptional = (call: Call): boolean => call.fields.every(({ required }) => !required);

const docOf = ({ operation, description }: Call): string => {
  const method = `${operation.rest.method} ${operation.rest.path}`;
  return docComment(`${description} \`${method}\``, '  ');
};

const methodType = (call: Call): string => {
  const input = `input${isOptional(call) ? '?' : ''}: ${inputOf(call)}`;
  return `${docOf(call)}  ${methodOf(call)}(${input}, options?: CallOptions): Promise<${typeOf(call.answer, '  ')}>;\n`;
};

const eachType = (call: Call): string => {
  const { paging } = call;
  if (paging === undefined) return '';
  const answer = typeOf(paging.answer, '  ');
  const input = `input${isOptional(call) ? '?' : ''}: Omit<${inputOf(call)}, '${paging.by}'>`;
  const item = `(${answer})['${paging.items}'][number]`;
  return `${docOf(call)}  ${methodOf(call)}(${input}, options?: CallOptions): Pages<${item}, ${answer}>;\n`;
};

const methodsFile = (document: Document, calls: readonly Call[]): string => {
  const text = [
    '/** A method for each operation. */',
    `export interface Methods {\n${calls.map(methodType).join('')}}\n`,
    '/** A method for each list that comes in pages. */',
    `export interface PagedMethods {\n${calls.map(eachType).join('')}}\n`,
  ].join('\n');
  return [
    HEAD,
    IMPORT(['CallOptions'], '../options.js'),
    IMPORT(['Pages'], '../paging.js'),
    IMPORT(calls.map(inputOf), './operations.js'),
    IMPORT(usedIn(text, document), './resources.js'),
    `\n${text}`,
  ].join('');
};

const rowOf = (call: Call): string => {
  const { operation, paging, fields } = call;
  const row = {
    operation: operation.name,
    method: operation.rest.method,
    path: call.path,
    keyed: operation.scope !== null,
    write: operation.idempotency !== undefined,
    body: operation.body !== undefined,
    ...(fields.some(({ name }) => name === 'wait') ? { waits: true } : {}),
    ...(paging === undefined ? {} : { paging: { by: paging.by, items: paging.items } }),
  };
  return `  ${methodOf(call)}: ${JSON.stringify(row)},\n`;
};

const routesFile = (calls: readonly Call[]): string =>
  [
    `${HEAD}${IMPORT(['Route'], '../options.js')}`,
    '/** The version of the API that this client was generated from. */',
    `export const API_VERSION = '${API_VERSION}';\n`,
    '/** How each method is called over HTTP. */',
    `export const ROUTES: Readonly<Record<string, Route>> = {\n${calls.map(rowOf).join('')}};\n`,
  ].join('\n');

const errorsFile = (calls: readonly Call[]): string => {
  const retryable = Object.entries(ERROR_CODES).filter(([, { retryable }]) => retryable);
  const conflicts = [...new Set(calls.flatMap(({ operation }) => operation.conflicts ?? []))].sort();
  return [
    HEAD,
    '/** Every code of an error. */',
    `export type ErrorCode = ${unionOf(Object.keys(ERROR_CODES))};\n`,
    '/** Every reason of a `mandate_refused`. */',
    `export type MandateReason = ${unionOf(MANDATE_REASONS)};\n`,
    '/** Every reason of a `conflict` of a public operation. */',
    `export type ConflictReason = ${unionOf(conflicts)};\n`,
    '/** The codes after which the same request, sent again, may succeed. */',
    `export const RETRYABLE: ReadonlySet<string> = new Set([${retryable.map(([code]) => `'${code}'`).join(', ')}]);\n`,
  ].join('\n');
};

/** The generated sources of the SDK by file name: resources, operations, methods, routes and codes of errors. */
export const sdkFiles = (document: Document): Record<string, string> => {
  // A method cannot return a stream.
  const calls = callsOf(document).filter(({ operation }) => operation.mediaType === undefined);
  return {
    'errors.ts': errorsFile(calls),
    'methods.ts': methodsFile(document, calls),
    'operations.ts': operationsFile(document, calls),
    'resources.ts': resourcesFile(document),
    'routes.ts': routesFile(calls),
  };
};
