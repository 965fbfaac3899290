import type { Problem, ToolOperation } from '@cds/contracts';
import type { Call } from '../edge/lifecycle.js';
import { tellableName } from '../edge/http/query.js';
import type { Parts } from '../edge/steps/validate.js';

/** The tool argument that carries the Idempotency-Key. */
const KEY_ARGUMENT = 'idempotency_key';

type Part = 'params' | 'query' | 'body';

const namesOf = (operation: ToolOperation, part: Part): string[] => Object.keys(operation[part]?.shape ?? {});

const partOf = (operation: ToolOperation, name: string): Part | undefined => {
  if (operation.ignored?.includes(name) === true) return 'body';
  return (['params', 'query', 'body'] as const).find((part) => namesOf(operation, part).includes(name));
};

const acceptedBy = (operation: ToolOperation): string => {
  const names = [
    ...namesOf(operation, 'params'),
    ...Object.keys(operation.tool.also ?? {}),
    ...namesOf(operation, 'query'),
    ...namesOf(operation, 'body'),
    ...(operation.idempotency === undefined ? [] : [KEY_ARGUMENT]),
  ];
  return names.length === 0 ? 'nothing is' : `accepted: ${names.join(', ')}`;
};

/** Resolves other names of an argument; both sent and different is a problem (domain 4-doors 14). */
const withoutAliases = (
  operation: ToolOperation,
  sent: Record<string, unknown>,
): { named: Record<string, unknown>; problems: Problem[] } => {
  const named = { ...sent };
  const problems: Problem[] = [];
  for (const [alias, field] of Object.entries(operation.tool.also ?? {})) {
    if (!Object.hasOwn(named, alias)) continue;
    const value = named[alias];
    delete named[alias];
    if (!Object.hasOwn(named, field)) named[field] = value;
    else if (named[field] !== value)
      problems.push({ field: alias, message: `must equal ${field} when both are sent; send one of the two` });
  }
  return { named, problems };
};

/** The flat arguments of a tool as the parts that REST sends apart. */
export const partsOfArguments = (operation: ToolOperation, sent: Record<string, unknown>): Parts => {
  const { named, problems } = withoutAliases(operation, sent);
  const parts: Record<Part, Record<string, unknown>> = { params: {}, query: {}, body: {} };
  for (const [name, value] of Object.entries(named)) {
    const part = partOf(operation, name);
    if (part === undefined)
      problems.push({ field: tellableName(name), message: `is not taken here; ${acceptedBy(operation)}` });
    else parts[part][name] = value;
  }
  return { ...parts, problems };
};

/** A tool call as the pipeline behind both doors takes it. */
export const callOf = (operation: ToolOperation, sent: Record<string, unknown>): Call => {
  const { [KEY_ARGUMENT]: key, ...rest } = sent;
  const takesKey = operation.idempotency !== undefined;
  const brought = takesKey && key !== undefined && key !== null;
  return {
    operation,
    idempotencyKeys: brought ? [typeof key === 'string' ? key : ''] : [],
    keyField: KEY_ARGUMENT,
    parts: async () => partsOfArguments(operation, takesKey ? rest : sent),
  };
};
