import type { z } from 'zod';
import { billingEvents } from './billing/events.js';
import { billingInternal } from './billing/internal.js';
import { billingOperations } from './billing/operations.js';
import { catalogEvents } from './catalog/events.js';
import { catalogInternal } from './catalog/internal.js';
import { catalogOperations } from './catalog/operations.js';
import { catalogOperators } from './catalog/operators.js';
import { isPublished, pathOf, type RestOperation } from './doors.js';
import type { EventDeclaration } from './event.js';
import { eventOperations } from './event-operations.js';
import { gatewayEvents } from './gateway/events.js';
import { gatewayInternal } from './gateway/internal.js';
import { gatewayOperations } from './gateway/operations.js';
import { gatewayOperators } from './gateway/operators.js';
import { metricsEvents } from './metrics/events.js';
import { metricsInternal } from './metrics/internal.js';
import { metricsOperations } from './metrics/operations.js';
import type { InputOf, OperationDeclaration, OutputOf } from './operation.js';
import { planningEvents } from './planning/events.js';
import { planningInternal } from './planning/internal.js';
import { planningOperations } from './planning/operations.js';
import { planningOperators } from './planning/operators.js';
import { planningPersonOperations } from './planning/person-operations.js';
import { proposalsEvents } from './proposals/events.js';
import { proposalsInternal } from './proposals/internal.js';
import { proposalsOperations } from './proposals/operations.js';
import type { ServiceName } from './service.js';

/** Every declared operation by its name: those with a door and those between services (design 2). */
export const operationMap = {
  ...gatewayOperations,
  ...catalogOperations,
  ...planningOperations,
  ...planningPersonOperations,
  ...billingOperations,
  ...proposalsOperations,
  ...metricsOperations,
  ...gatewayOperators,
  ...catalogOperators,
  ...planningOperators,
  ...gatewayInternal,
  ...catalogInternal,
  ...planningInternal,
  ...billingInternal,
  ...proposalsInternal,
  ...metricsInternal,
  ...eventOperations('catalog'),
  ...eventOperations('planning'),
  ...eventOperations('billing'),
  ...eventOperations('proposals'),
  ...eventOperations('metrics'),
} as const;

/** Type name to declaration. */
export type Operations = typeof operationMap;
export type OperationName = keyof Operations;

/** The operations that one service answers. */
export type OperationNameOf<S extends ServiceName> = {
  [N in OperationName]: Operations[N]['service'] extends S ? N : never;
}[OperationName];

/** The flat input of a named operation, parsed. */
export type Input<N extends OperationName> = InputOf<Operations[N]>;
/** The answer of a named operation as it stands on the wire. */
export type Output<N extends OperationName> = OutputOf<Operations[N]>;

/** Every declared operation, those with a door first. */
export const operations: readonly OperationDeclaration[] = Object.values(operationMap);

const byName: ReadonlyMap<string, OperationDeclaration> = new Map(operations.map((one) => [one.name, one]));

/** The declaration of a name, or undefined for a name that is not declared. */
export const operationByName = (name: string): OperationDeclaration | undefined => byName.get(name);

/** The operations that one service answers on the bus or, for the gateway, in its own process. */
export const operationsOf = (service: ServiceName): readonly OperationDeclaration[] =>
  operations.filter((operation) => operation.service === service);

/** A declaration that is a tool. */
export type ToolOperation = OperationDeclaration & { tool: NonNullable<OperationDeclaration['tool']> };

const toolsByRank: readonly ToolOperation[] = operations
  .filter((operation): operation is ToolOperation => operation.tool !== undefined)
  .sort((one, other) => one.tool.rank - other.tool.rank);

/** The tools of the specification, in the order of tools/list (domain 4-doors 14). */
export const toolOperations = (): readonly ToolOperation[] =>
  toolsByRank.filter(({ extension }) => extension === undefined);

/** The tools beyond the specification, which follow the others while the operator's switch `extensions` is on. */
export const extensionTools = (): readonly ToolOperation[] => toolsByRank.filter(({ extension }) => extension === true);

/** The operations of the public documents: the tools in their order, those of extensions, then the rest by path. */
export const publishedOperations = (): readonly RestOperation[] => {
  const published = operations.filter(isPublished);
  const tools: readonly OperationDeclaration[] = [...toolOperations(), ...extensionTools()];
  const withoutTool = published.filter((operation) => operation.tool === undefined);
  return [
    ...tools.filter(isPublished),
    ...withoutTool.sort((one, other) => (pathOf(one) < pathOf(other) ? -1 : pathOf(one) > pathOf(other) ? 1 : 0)),
  ];
};

/** Every declared event by its name. */
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
/** The payload of a named event as it stands on the wire. */
export type EventPayload<N extends EventName> = z.infer<Events[N]['payload']>;

/** Every declared event. */
export const events: readonly EventDeclaration[] = Object.values(eventMap);

/** The declaration of an event. */
export const eventByName = (name: EventName): EventDeclaration => eventMap[name];
