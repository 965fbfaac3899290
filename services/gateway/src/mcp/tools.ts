import {
  extensionTools,
  type Switches,
  type ToolOperation,
  toolInputSchema,
  toolOperations,
  toolOutputSchema,
} from '@cds/contracts';
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

/** A set of tools: what tools/list answers, and what tools/call accepts. */
export type ToolSet = { list: readonly Tool[]; operations: ReadonlyMap<string, ToolOperation> };

const toolSet = (operations: readonly ToolOperation[]): ToolSet => ({
  list: operations.map(toolOf),
  operations: new Map(operations.map((operation) => [operation.name, operation])),
});

const SPECIFIED = toolSet(toolOperations());
const EXTENDED = toolSet([...toolOperations(), ...extensionTools()]);

/**
 * The tools in their fixed order, for every key alike; extensions follow while their switch is on
 * (docs/domain/access.md#mcp, docs/domain/access.md#switches).
 */
export const toolsUnder = ({ extensions }: Pick<Switches, 'extensions'>): ToolSet =>
  extensions ? EXTENDED : SPECIFIED;
