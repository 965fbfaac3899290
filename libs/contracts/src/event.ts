import type { z } from 'zod';
import type { ServiceName } from './service.js';

/**
 * Carries the aggregate's version and whole public state, so a newer one supersedes every older one
 * (docs/reliability.md#events).
 */
export type EventDeclaration = {
  /** aggregate.change, as in order.changed. */
  name: string;
  service: ServiceName;
  payload: z.ZodObject;
  consumers: readonly ServiceName[];
  /** Its service stores the aggregate nowhere else, so the outbox keeps the event, to publish it again. */
  kept?: true;
  /** A reset of a sandbox removes its aggregate: an older event that arrives later is ignored. */
  endsWithReset?: true;
};

export const defineEvent = <const D extends EventDeclaration>(declaration: D): D => declaration;

export const eventSubject = (event: Pick<EventDeclaration, 'service' | 'name'>): string =>
  `evt.${event.service}.${event.name}`;

export const streamOf = (service: ServiceName): string => `EVT_${service.toUpperCase()}`;

/** The durable by which one service consumes another's stream. */
export const durableOf = (consumer: ServiceName, producer: ServiceName): string => `${consumer}_from_${producer}`;
