import { z } from 'zod';
import { publicText, Timestamp, Uuid } from './fields.js';
import { definePerService } from './operation.js';
import { gatewayReads, gatewayWrites } from './operation-kinds.js';
import type { ServiceName } from './service.js';

/** The kinds of due facts, of billing, proposals and metrics. Each service lists its own by the same names. */
export const DUE_FACT_KINDS = [
  'unpaid_end',
  'payment_settles',
  'proposal_expiry',
  'proposal_undelivered',
  'proposal_answer',
  'proposal_booking',
  'proposal_late',
  'replacement_search',
  'line_end',
  'post',
  'post_look',
  'post_gone',
  'post_back',
  'disclosure',
  'no_disclosure',
  'reading',
  'post_missing',
  'remedy',
  'claim',
] as const;
export type DueFactKind = (typeof DUE_FACT_KINDS)[number];

export const DueFact = z.object({ kind: publicText(), due_at: Timestamp });
export type DueFact = z.infer<typeof DueFact>;

/** The offset only grows. */
const ClockSetInput = z.object({ workspace: Uuid, offset_ms: z.int().min(0) });

/** `handled` counts due facts, `facts` the workspace's recent events; `behind`: some events have not arrived yet. */
const ClockSetAnswer = z.object({ handled: z.int(), facts: z.int(), behind: z.boolean() });

/** `stop_at`: the earliest fact that other services' facts may depend on (docs/reliability.md#clocks). */
const DueAnswer = z.object({ pending: z.array(DueFact), stop_at: Timestamp.nullable().optional() });

const WorkspaceInput = z.object({ workspace: Uuid });

export const clockSet = <const S extends Exclude<ServiceName, 'gateway'>>(service: S) =>
  definePerService(service, {
    clock_set: {
      ...gatewayWrites,
      summary: 'Moves a sandbox clock forward and handles what became due.',
      body: ClockSetInput,
      output: ClockSetAnswer,
    },
  });

export const dueNext = <const S extends Exclude<ServiceName, 'gateway'>>(service: S) =>
  definePerService(service, {
    due: {
      ...gatewayReads,
      summary: 'Lists up to 50 unhandled due facts of a sandbox, earliest first.',
      body: WorkspaceInput,
      output: DueAnswer,
    },
  });
