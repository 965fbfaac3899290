import { type Problem, type ToolOperation, VIEWS, type View } from '@cds/contracts';
import { safeName } from '../http/query.js';
import type { Call } from '../lifecycle.js';
import type { Parts } from '../steps/validate.js';

const KEY_ARGUMENT = 'idempotency_key';

const VIEW_ARGUMENT = 'view';

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
    ...(operation.tool.brief === undefined ? [] : [VIEW_ARGUMENT]),
    ...(operation.idempotency === undefined ? [] : [KEY_ARGUMENT]),
  ];
  return names.length === 0 ? 'this tool takes no arguments' : `accepted: ${names.join(', ')}`;
};

/** Resolves the aliases of arguments. Two different values for one argument are a problem (docs/domain/mcp.md#mcp). */
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
    if (value === null) continue;
    if ((named[field] ?? null) === null) named[field] = value;
    else if (named[field] !== value)
      problems.push({ field: alias, message: `must equal ${field} when both are sent; send only one of them` });
  }
  return { named, problems };
};

/** Sorts the flat arguments of a tool into path, query and body, as REST sends them. */
const partsOfArguments = (operation: ToolOperation, sent: Record<string, unknown>): Parts => {
  const { named, problems } = withoutAliases(operation, sent);
  const parts: Record<Part, Record<string, unknown>> = { params: {}, query: {}, body: {} };
  for (const [name, value] of Object.entries(named)) {
    const part = partOf(operation, name);
    if (part === undefined)
      problems.push({ field: safeName(name), message: `is not accepted here; ${acceptedBy(operation)}` });
    else parts[part][name] = value;
  }
  return { ...parts, problems, textForValues: true };
};

const viewProblems = (view: unknown): Problem[] =>
  VIEWS.some((one) => one === view) ? [] : [{ field: VIEW_ARGUMENT, message: `must be one of ${VIEWS.join(', ')}` }];

/** A tool call in the form that both transports share, and the view of its answer. */
export const callOf = (operation: ToolOperation, sent: Record<string, unknown>): { call: Call; view: View } => {
  const { [KEY_ARGUMENT]: key, ...withoutKey } = sent;
  const takesKey = operation.idempotency !== undefined;
  const hasKey = takesKey && key !== undefined && key !== null;
  const named = takesKey ? withoutKey : sent;
  const { [VIEW_ARGUMENT]: sentView, ...withoutView } = named;
  const view = sentView ?? 'full';
  const takesView = operation.tool.brief !== undefined;
  const problems = takesView ? viewProblems(view) : [];
  const parts = partsOfArguments(operation, takesView ? withoutView : named);
  return {
    call: {
      operation,
      idempotencyKeys: hasKey ? [typeof key === 'string' ? key : ''] : [],
      keyField: KEY_ARGUMENT,
      parts: async () => ({ ...parts, problems: [...problems, ...parts.problems] }),
    },
    view: takesView && view === 'brief' ? 'brief' : 'full',
  };
};
