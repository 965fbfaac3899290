import { z } from 'zod';
import { CalendarDate, paidText, Timestamp, Uuid } from '../fields.js';
import { PROPOSAL_STATES } from './events.js';

/** The offer of a line to its creator; exists once the order is paid (spec, "Proposal"). */
export const Proposal = z
  .object({
    state: z.enum(PROPOSAL_STATES),
    creator_handle: paidText(),
    replaced_handle: paidText().nullable().meta({ description: 'The creator this one replaced.' }),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'Proposal' });
export type Proposal = z.infer<typeof Proposal>;

/** A line as the sandbox's answer door shows it (domain 4-doors 7). */
export const SandboxLine = z
  .object({ id: Uuid, campaign_id: Uuid, scheduled_date: CalendarDate, booked: z.boolean(), proposal: Proposal })
  .meta({ id: 'SandboxLine' });
export type SandboxLine = z.infer<typeof SandboxLine>;
