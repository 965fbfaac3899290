import { z } from 'zod';
import { paidText, Timestamp } from '../fields.js';
import { PROPOSAL_STATES } from './events.js';

/** The offer of a line to a creator; exists once the order is paid (docs/specification.md#proposal). */
export const Proposal = z
  .object({
    state: z.enum(PROPOSAL_STATES),
    creator_handle: paidText(),
    replaced_handle: paidText().nullable().meta({ description: 'The creator that this one replaced.' }),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'Proposal' });
export type Proposal = z.infer<typeof Proposal>;
