import { z } from 'zod';
import { MANDATE_REASONS } from './error.js';
import { Count, publicText, Timestamp, Uuid } from './fields.js';
import { MandateInput } from './gateway/mandate-input.js';
import { definePerService } from './operation.js';
import { gatewayReads } from './operation-kinds.js';

const MandateReason = z.enum(MANDATE_REASONS);

/** A recorded write that a draft of a mandate would refuse, with the refusal's details. */
export const TriedRefusal = z.object({
  at: Timestamp,
  operation: publicText(),
  request_id: publicText(),
  reason: MandateReason,
  details: z.record(z.string(), z.union([publicText(), z.number(), z.boolean(), z.null(), z.array(publicText())])),
});
export type TriedRefusal = z.infer<typeof TriedRefusal>;

export const TriedChange = z.object({
  request_id: publicText(),
  was: MandateReason.nullable(),
  would: MandateReason.nullable(),
});
export type TriedChange = z.infer<typeof TriedChange>;

/** Where a page of recorded checks ends; the next begins after it. */
const CheckPlace = z.object({ at: Timestamp, id: publicText() });
export type CheckPlace = z.infer<typeof CheckPlace>;

/** One page of recorded checks, judged: newest first. */
export const MandateTryPage = z.object({
  tried: Count,
  refused: z.array(TriedRefusal),
  changed: z.array(TriedChange.extend({ at: Timestamp })),
  next: CheckPlace.nullable(),
});
export type MandateTryPage = z.infer<typeof MandateTryPage>;

export const mandateTry = <const S extends 'planning' | 'billing' | 'proposals'>(service: S) =>
  definePerService(service, {
    mandate_try: {
      ...gatewayReads,
      summary: 'Judges a page of the recorded writes of some keys by a draft of a mandate, newest first.',
      body: z.object({
        keys: z.array(Uuid).min(1),
        mandate: MandateInput,
        from: Timestamp,
        to: Timestamp,
        after: CheckPlace.nullable(),
      }),
      output: MandateTryPage,
    },
  });
