import { hasDoor, pathOf } from '../doors.js';
import { toolInputSchema, toolOutputSchema } from '../json-schema.js';
import { type Audience, type OperationDeclaration, subjectOf } from '../operation.js';
import { mayOperate, OPERATOR_ROLES } from '../operator.js';
import { operations, publishedOperations, toolOperations } from '../registry.js';
import { openapiDocument } from './openapi.js';

/** A bound that only says "a safe integer" tells a reader nothing; zod repeats it beside references. */
const withoutEmptyBounds = (key: string, value: unknown): unknown =>
  key === 'maximum' && value === Number.MAX_SAFE_INTEGER ? undefined : value;

const asJson = (value: unknown): string => `${JSON.stringify(value, withoutEmptyBounds, 2)}\n`;

/** The tools of the specification as tools/list publishes them, in its order (domain 4-doors 14). */
const toolsDocument = () =>
  toolOperations().map((operation) => ({
    name: operation.name,
    title: operation.tool.title,
    description: operation.tool.description,
    annotations: {
      readOnlyHint: operation.tool.hints.readOnly,
      destructiveHint: operation.tool.hints.destructive,
      idempotentHint: operation.tool.hints.idempotent,
      openWorldHint: operation.tool.hints.openWorld,
    },
    inputSchema: toolInputSchema(operation),
    outputSchema: toolOutputSchema(operation),
  }));

/** The audiences in the order of the index: those with public documents first, the bus last. */
const AUDIENCES: readonly Audience[] = ['brand', 'public', 'sandbox', 'person', 'operator', 'internal'];

/** Who may call: a scope, a role, or the services that send it. */
const accessOf = (operation: OperationDeclaration): string => {
  switch (operation.audience) {
    case 'internal':
      return operation.callers?.join(', ') ?? 'gateway';
    case 'operator': {
      const roles = OPERATOR_ROLES.filter((role) => mayOperate(role, operation));
      return roles.length === OPERATOR_ROLES.length ? 'any role' : roles.join(', ');
    }
    case 'person':
      return operation.atLeast ?? 'viewer';
    default:
      return operation.scope ?? 'none';
  }
};

const toolOf = (operation: OperationDeclaration): string => {
  if (operation.tool === undefined) return '-';
  return operation.extension ? '(tool)' : 'tool';
};

/**
 * Every operation on one line: audience, method and path (or the subject on the bus), name, whether it is a tool (in
 * brackets one that a switch shows), who may call it, service.
 */
const operationsIndex = (): string => {
  const published: readonly OperationDeclaration[] = publishedOperations();
  const rest = operations.filter((operation) => !published.includes(operation));
  const ordered = AUDIENCES.flatMap((audience) => [...published, ...rest].filter((one) => one.audience === audience));
  const rows = ordered.map((operation) => [
    operation.audience,
    operation.rest?.method ?? 'BUS',
    hasDoor(operation) ? pathOf(operation) : subjectOf(operation),
    operation.name,
    toolOf(operation),
    accessOf(operation),
    operation.service,
  ]);
  const widths = rows[0]?.map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${rows.map(line).join('\n')}\n`;
};

/** The generated documents by file name. */
export const documents = () => ({
  'openapi.json': asJson(openapiDocument()),
  'tools.json': asJson(toolsDocument()),
  'operations.txt': operationsIndex(),
});
