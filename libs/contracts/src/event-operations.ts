import { z } from 'zod';
import { Count, publicText, Timestamp, Uuid } from './fields.js';
import { closed } from './input.js';
import { definePerService } from './operation.js';
import { gatewayReads, gatewayWrites } from './operation-kinds.js';
import { SERVICES, type ServiceName } from './service.js';

export const DEAD_LETTER_STATES = ['parked', 'applied', 'closed'] as const;
export type DeadLetterState = (typeof DEAD_LETTER_STATES)[number];

/** An event that a service set aside (docs/domain/operators.md#operators, docs/reliability.md#events). */
export const DeadLetter = z
  .object({
    id: Uuid,
    /** The service that consumes the event, and the one that published it. */
    service: z.enum(SERVICES),
    producer: z.enum(SERVICES),
    subject: publicText(),
    aggregate: publicText().nullable(),
    /** Its consumer failed too often, or this version does not know its kind or cannot read its payload. */
    reason: z.enum(['failed', 'unknown', 'malformed']),
    error: publicText(),
    attempts: Count,
    state: z.enum(DEAD_LETTER_STATES),
    parked_at: Timestamp,
    tried_at: Timestamp,
    applied_at: Timestamp.nullable(),
  })
  .meta({ id: 'DeadLetter' });
export type DeadLetter = z.infer<typeof DeadLetter>;

export const RepublishRun = z
  .object({
    service: z.enum(SERVICES),
    run: publicText(),
    cause: z.enum(['operator', 'stream_lost']),
    asked_at: Timestamp,
    event: publicText().nullable(),
    sent: Count,
    done_at: Timestamp.nullable(),
  })
  .meta({ id: 'RepublishRun' });
export type RepublishRun = z.infer<typeof RepublishRun>;

const DeadLetterPlace = z.object({ parked_at: z.iso.datetime(), id: Uuid });

/** The operations on a service's own events, the same in every service. The gateway calls them for an operator. */
export const eventOperations = <const S extends Exclude<ServiceName, 'gateway'>>(service: S) =>
  definePerService(service, {
    dead_letters: {
      ...gatewayReads,
      summary: 'Lists events that this service set aside, oldest first.',
      body: closed({
        state: z.enum(DEAD_LETTER_STATES),
        after: DeadLetterPlace.nullable(),
        limit: z.int().min(1).max(201),
      }),
      output: z.object({ letters: z.array(DeadLetter), total: z.int() }),
    },
    dead_letter_retry: {
      ...gatewayWrites,
      summary: 'Retries an event that was set aside; null if this service does not have it.',
      body: closed({ id: Uuid }),
      output: z.object({ letter: DeadLetter.nullable() }),
    },
    dead_letter_close: {
      ...gatewayWrites,
      summary: 'Closes an event that was set aside and will never be applied; null if this service does not have it.',
      body: closed({ id: Uuid }),
      output: z.object({ letter: DeadLetter.nullable() }),
    },
    republish: {
      ...gatewayWrites,
      summary: 'Starts republishing the current state of every aggregate, once per run id.',
      body: closed({ run: publicText() }),
      output: RepublishRun,
    },
    republish_progress: {
      ...gatewayReads,
      summary: 'Reports the progress of the newest republishing run; null before the first.',
      body: closed({}),
      output: z.object({ run: RepublishRun.nullable() }),
    },
  });
