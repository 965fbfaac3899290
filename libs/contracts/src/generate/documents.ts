import { pathOf } from '../doors.js';
import { toolInputSchema, toolOutputSchema } from '../json-schema.js';
import { publishedOperations, toolOperations } from '../registry.js';
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

/** Every public operation on one line: method and path, tool (in brackets one that a switch shows), scope, service. */
const operationsIndex = (): string => {
  const rows = publishedOperations().map((operation) => [
    operation.rest.method,
    pathOf(operation),
    operation.tool === undefined ? '-' : operation.extension ? `(${operation.name})` : operation.name,
    operation.scope ?? 'none',
    operation.service,
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return `${rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`;
};

/** The generated documents by file name. */
export const documents = () => ({
  'openapi.json': asJson(openapiDocument()),
  'tools.json': asJson(toolsDocument()),
  'operations.txt': operationsIndex(),
});
