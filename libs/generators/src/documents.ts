import {
  type Audience,
  hasEndpoint,
  mayOperate,
  OPERATOR_ROLES,
  type OperationDeclaration,
  operations,
  pathOf,
  publishedOperations,
  subjectOf,
  toolInputSchema,
  toolOperations,
  toolOutputSchema,
} from '@cds/contracts';
import { openapiDocument } from './openapi.js';

/** Drops the bound of a safe integer, which zod repeats next to references and readers do not need. */
const withoutEmptyBounds = (key: string, value: unknown): unknown =>
  key === 'maximum' && value === Number.MAX_SAFE_INTEGER ? undefined : value;

const asJson = (value: unknown): string => `${JSON.stringify(value, withoutEmptyBounds, 2)}\n`;

/** The tools of the specification as tools/list returns them (docs/domain/mcp.md#mcp). */
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

/** The audiences in the order of the index: those with public documents first, internal last. */
const AUDIENCES: readonly Audience[] = [
  'brand',
  'public',
  'sandbox',
  'visitor',
  'guest',
  'person',
  'operator',
  'creator',
  'relay',
  'internal',
];

/** Who may call: a scope, roles, or services. */
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
 * Every operation on one line: audience, method and path (or bus subject), name, whether it is a tool (in brackets if
 * an operator's switch shows it), who may call it, and its service.
 */
const operationsIndex = (): string => {
  const published: readonly OperationDeclaration[] = publishedOperations();
  const rest = operations.filter((operation) => !published.includes(operation));
  const ordered = AUDIENCES.flatMap((audience) => [...published, ...rest].filter((one) => one.audience === audience));
  const rows = ordered.map((operation) => [
    operation.audience,
    operation.rest?.method ?? 'BUS',
    hasEndpoint(operation) ? pathOf(operation) : subjectOf(operation),
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

export const documents = () => ({
  'openapi.json': asJson(openapiDocument()),
  'tools.json': asJson(toolsDocument()),
  'operations.txt': operationsIndex(),
});
