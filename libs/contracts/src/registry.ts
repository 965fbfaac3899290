import type { z } from 'zod';
import { billingEvents } from './billing/events.js';
import { billingOperations } from './billing/operations.js';
import { catalogEvents } from './catalog/events.js';
import { catalogOperations } from './catalog/operations.js';
import { isPublished, pathOf, type RestOperation } from './endpoints.js';
import type { EventDeclaration } from './event.js';
import { gatewayEvents } from './gateway/events.js';
import { guestFeedback } from './gateway/guests.js';
import { gatewayOperations } from './gateway/operations.js';
import { metricsEvents } from './metrics/events.js';
import { metricsOperations } from './metrics/operations.js';
import type { InputOf, OperationDeclaration, OutputOf } from './operation.js';
import { planningEvents } from './planning/events.js';
import { planningOperations } from './planning/operations.js';
import { proposalsEvents } from './proposals/events.js';
import { proposalsOperations } from './proposals/operations.js';
import type { ServiceName } from './service.js';

/** Every declared operation by name (docs/adr/0005-one-declaration-per-operation.md). */
export const operationMap = {
  ...gatewayOperations,
  ...catalogOperations,
  ...planningOperations,
  ...billingOperations,
  ...proposalsOperations,
  ...metricsOperations,
} as const;

export type Operations = typeof operationMap;
export type OperationName = keyof Operations;

export type OperationNameOf<S extends ServiceName> = {
  [N in OperationName]: Operations[N]['service'] extends S ? N : never;
}[OperationName];

export type Input<N extends OperationName> = InputOf<Operations[N]>;
export type Output<N extends OperationName> = OutputOf<Operations[N]>;

export const operations: readonly OperationDeclaration[] = Object.values(operationMap);

const byName: ReadonlyMap<string, OperationDeclaration> = new Map(operations.map((one) => [one.name, one]));

export const operationByName = (name: string): OperationDeclaration | undefined => byName.get(name);

/** The operations that one service answers, on the bus or, for the gateway, in its own process. */
export const operationsOf = (service: ServiceName): readonly OperationDeclaration[] =>
  operations.filter((operation) => operation.service === service);

export type ToolOperation = OperationDeclaration & { tool: NonNullable<OperationDeclaration['tool']> };

const isTool = (operation: OperationDeclaration): operation is ToolOperation => operation.tool !== undefined;

const byRank = (tools: readonly ToolOperation[]): ToolOperation[] =>
  [...tools].sort((one, other) => one.tool.rank - other.tool.rank);

const toolsByRank: readonly ToolOperation[] = byRank(
  operations.filter(isTool).filter(({ audience }) => audience !== 'guest'),
);

/** The tools of guests, in the order of their tools/list (docs/domain/mcp.md#guests). */
export const guestTools: readonly ToolOperation[] = byRank([
  ...operations.filter(isTool).filter(({ audience }) => audience === 'guest'),
  guestFeedback,
]);

export const guestAnswers = (): readonly string[] =>
  guestTools.filter(({ audience }) => audience === 'guest').map(toolNameOf);

/** The tools of the specification that need an account (docs/domain/mcp.md#guests). */
export const needsAccount = (): readonly string[] =>
  toolOperations()
    .map(toolNameOf)
    .filter((name) => !guestAnswers().includes(name));

export const toolNameOf = ({ name, tool }: Pick<OperationDeclaration, 'name' | 'tool'>): string => tool?.name ?? name;

export const toolOperations = (): readonly ToolOperation[] =>
  toolsByRank.filter(({ extension, audience }) => extension === undefined && audience === 'brand');

/** The tools beyond the specification, listed after the others while the operator's switch `extensions` is on. */
export const extensionTools = (): readonly ToolOperation[] => toolsByRank.filter(({ extension }) => extension === true);

/** The tools that only keys of a sandbox have, listed last (docs/domain/sandbox.md#sandbox). */
export const sandboxTools = (): readonly ToolOperation[] =>
  toolsByRank.filter(({ audience }) => audience === 'sandbox');

const byToolName: ReadonlyMap<string, ToolOperation> = new Map(toolsByRank.map((one) => [toolNameOf(one), one]));

/** The operation behind a tool's name, whoever has the tool; undefined if there is none. */
export const operationOfTool = (name: string): ToolOperation | undefined => byToolName.get(name);

/** The operations of the public documents: the tools in order, the extension tools, then the rest by path. */
export const publishedOperations = (): readonly RestOperation[] => {
  const published = operations.filter(isPublished);
  const tools: readonly OperationDeclaration[] = [...toolOperations(), ...extensionTools()];
  const others = published.filter((operation) => !tools.includes(operation));
  return [
    ...tools.filter(isPublished),
    ...others.sort((one, other) => (pathOf(one) < pathOf(other) ? -1 : pathOf(one) > pathOf(other) ? 1 : 0)),
  ];
};

export const eventMap = {
  ...gatewayEvents,
  ...catalogEvents,
  ...planningEvents,
  ...billingEvents,
  ...proposalsEvents,
  ...metricsEvents,
} as const;

export type Events = typeof eventMap;
export type EventName = keyof Events;
export type EventPayload<N extends EventName> = z.infer<Events[N]['payload']>;

export const events: readonly EventDeclaration[] = Object.values(eventMap);

export const eventByName = (name: EventName): EventDeclaration => eventMap[name];
