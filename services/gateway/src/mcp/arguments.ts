import type { Problem, ToolOperation } from '@cds/contracts';
import { safeName } from '../edge/http/query.js';
import type { Call } from '../edge/lifecycle.js';
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
  return names.length === 0 ? 'this tool takes no arguments' : `accepted: ${names.join(', ')}`;
};

/**
 * Resolves the aliases of arguments. Two different values for one argument are a problem (docs/domain/access.md#mcp).
 */
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
      problems.push({ field: alias, message: `must equal ${field} when both are sent; send only one of them` });
  }
  return { named, problems };
};

/** Sorts the flat arguments of a tool into path, query and body, as REST sends them. */
export const partsOfArguments = (operation: ToolOperation, sent: Record<string, unknown>): Parts => {
  const { named, problems } = withoutAliases(operation, sent);
  const parts: Record<Part, Record<string, unknown>> = { params: {}, query: {}, body: {} };
  for (const [name, value] of Object.entries(named)) {
    const part = partOf(operation, name);
    if (part === undefined)
      problems.push({ field: safeName(name), message: `is not accepted here; ${acceptedBy(operation)}` });
    else parts[part][name] = value;
  }
  return { ...parts, problems };
};

/** A tool call in the form that both transports share. */
export const callOf = (operation: ToolOperation, sent: Record<string, unknown>): Call => {
  const { [KEY_ARGUMENT]: key, ...rest } = sent;
  const takesKey = operation.idempotency !== undefined;
  const hasKey = takesKey && key !== undefined && key !== null;
  return {
    operation,
    idempotencyKeys: hasKey ? [typeof key === 'string' ? key : ''] : [],
    keyField: KEY_ARGUMENT,
    parts: async () => partsOfArguments(operation, takesKey ? rest : sent),
  };
};
