// How texts for callers name operations (docs/domain/requests.md#every-request).
import { type OperationDeclaration, operationOfTool, pathOf, type RestOperation, toolNameOf } from '@cds/contracts';

/** What a transport calls an operation. */
export type Names = (operation: OperationDeclaration) => string;

const hasPath = (operation: OperationDeclaration): operation is RestOperation => operation.rest !== undefined;

export const restNames: Names = (operation) =>
  hasPath(operation) ? `${operation.rest.method} ${pathOf(operation)}` : operation.name;

export const toolNames =
  (listed: ReadonlyMap<string, unknown>): Names =>
  (operation) =>
    listed.has(toolNameOf(operation)) ? toolNameOf(operation) : 'the REST API';

const WORD = /\b[a-z]+(?:_[a-z]+)+\b/g;
/** Members with sentences of ours: messages of errors and problems, notes, and what comes next. */
const SENTENCES: ReadonlySet<string> = new Set(['message', 'note', 'text']);

/** JSON whose sentences name each operation as this caller may call it; services name it by its tool. */
export const namedFor = (json: string, nameOf: Names): string => {
  const said = (text: string): string =>
    text.replace(WORD, (word) => {
      const operation = operationOfTool(word);
      return operation === undefined ? word : nameOf(operation);
    });
  if (said(json) === json) return json;
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
): Uint8Array | string =>
  SPEAKS.has(service) && mediaType === undefined && body.length > 0
    ? namedFor(typeof body === 'string' ? body : decoder.decode(body), nameOf)
    : body;
