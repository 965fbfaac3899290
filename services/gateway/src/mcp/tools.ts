import { type ToolOperation, toolInputSchema, toolOperations, toolOutputSchema } from '@cds/contracts';
import type { Tool } from '@modelcontextprotocol/server';

const toolOf = (operation: ToolOperation): Tool => ({
  name: operation.name,
  title: operation.tool.title,
  description: operation.tool.description,
  inputSchema: toolInputSchema(operation) as Tool['inputSchema'],
  outputSchema: toolOutputSchema(operation) as NonNullable<Tool['outputSchema']>,
  annotations: {
    title: operation.tool.title,
    readOnlyHint: operation.tool.hints.readOnly,
    destructiveHint: operation.tool.hints.destructive,
    idempotentHint: operation.tool.hints.idempotent,
    openWorldHint: operation.tool.hints.openWorld,
  },
});

/** The operations that are tools, by name. */
export const TOOL_OPERATIONS: ReadonlyMap<string, ToolOperation> = new Map(
  toolOperations().map((operation) => [operation.name, operation]),
);

/** tools/list: every tool in its fixed order, the same for every key (domain 4-doors 14). */
export const TOOLS: readonly Tool[] = toolOperations().map(toolOf);
