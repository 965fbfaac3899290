// How texts for callers name operations (docs/domain/requests.md#every-request).
import {
  extensionTools,
  type OperationDeclaration,
  operationOfTool,
  pathOf,
  type RestOperation,
  sandboxTools,
  toolNameOf,
  toolOperations,
} from '@cds/contracts';

/** What a transport calls an operation. */
export type Names = (operation: OperationDeclaration) => string;

const hasPath = (operation: OperationDeclaration): operation is RestOperation => operation.rest !== undefined;

export const restNames: Names = (operation) =>
  hasPath(operation) ? `${operation.rest.method} ${pathOf(operation)}` : operation.name;

export const toolNames =
  (listed: ReadonlyMap<string, unknown>): Names =>
  (operation) =>
    listed.has(toolNameOf(operation)) ? toolNameOf(operation) : 'the REST API';

/** One pattern of all names, since most answers have none and are searched on every read. */
const NAMED = new RegExp(
  `\\b(?:${[...toolOperations(), ...extensionTools(), ...sandboxTools()]
    .map(toolNameOf)
    .filter((name) => name.includes('_'))
    .join('|')})\\b`,
  'g',
);
/** Members with sentences of ours: messages of errors and problems, notes, and what comes next. */
const SENTENCES: ReadonlySet<string> = new Set(['message', 'note', 'text']);

/** JSON whose sentences name each operation as this caller may call it; services name it by its tool. */
export const namedFor = (json: string, nameOf: Names): string => {
  const said = (text: string): string =>
    text.replace(NAMED, (word) => {
      const operation = operationOfTool(word);
      return operation === undefined ? word : nameOf(operation);
    });
  if (json.search(NAMED) < 0 || said(json) === json) return json;
  return JSON.stringify(
    JSON.parse(json, (key, value) => (typeof value === 'string' && SENTENCES.has(key) ? said(value) : value)),
  );
};

const decoder = new TextDecoder();
/** Their answers have notes and next steps. Others are forwarded as they came, since reading a list again costs. */
const SPEAKS: ReadonlySet<string> = new Set(['planning', 'billing']);

/** As `namedFor`, of an operation's answer. */
export const answerNamedFor = (
  { service, mediaType }: Pick<OperationDeclaration, 'service' | 'mediaType'>,
  body: Uint8Array | string,
  nameOf: Names,
): Uint8Array | string => {
  if (!SPEAKS.has(service) || mediaType !== undefined || body.length === 0) return body;
  const json = typeof body === 'string' ? body : decoder.decode(body);
  const named = namedFor(json, nameOf);
  return named === json ? body : named;
};
