import {
  extensionTools,
  type Switches,
  sandboxTools,
  type ToolOperation,
  toolInputSchema,
  toolNameOf,
  toolOperations,
  toolOutputSchema,
} from '@cds/contracts';
import type { Tool } from '@modelcontextprotocol/server';

const toolOf = (operation: ToolOperation): Tool => ({
  name: toolNameOf(operation),
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

export type ToolSet = { list: readonly Tool[]; operations: ReadonlyMap<string, ToolOperation> };

export const toolSet = (operations: readonly ToolOperation[]): ToolSet => ({
  list: operations.map(toolOf),
  operations: new Map(operations.map((operation) => [toolNameOf(operation), operation])),
});

const SPECIFIED = {
  live: toolSet(toolOperations()),
  test: toolSet([...toolOperations(), ...sandboxTools()]),
};
const EXTENDED = {
  live: toolSet([...toolOperations(), ...extensionTools()]),
  test: toolSet([...toolOperations(), ...extensionTools(), ...sandboxTools()]),
};

/**
 * In a fixed order, whatever a key's scopes; then extensions that are on, and the sandbox's (docs/domain/mcp.md#mcp).
 */
export const toolsUnder = ({ extensions }: Pick<Switches, 'extensions'>, sandbox: boolean): ToolSet =>
  (extensions ? EXTENDED : SPECIFIED)[sandbox ? 'test' : 'live'];
