import { z } from 'zod';
import { DEPRECATED_FIELDS, type DeprecatedField } from '../deprecated.js';
import { CalendarDate, publicText, Timestamp } from '../fields.js';
import { booleanInput, closed, dateInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { everyRoleReads, leadWrites, reason } from '../operator-fields.js';

const untilOf = <T>(of: (field: DeprecatedField) => T): Record<DeprecatedField, T> =>
  Object.fromEntries(Object.keys(DEPRECATED_FIELDS).map((field) => [field, of(field as DeprecatedField)])) as Record<
    DeprecatedField,
    T
  >;

/** A day after the published one; null returns to that. */
const later = (published: string) =>
  dateInput()
    .refine((day) => day > published, { error: `must be after ${published}` })
    .nullable();

/** The operator's switches, and who changed them last (docs/domain/operators.md#switches). */
export const SwitchBoardView = z
  .object({
    payments_open: z.boolean(),
    writes_open: z.boolean(),
    invoice_rail: z.boolean(),
    deprecated_until: z.object(untilOf(() => CalendarDate)),
    extensions: z.boolean(),
    changed_at: Timestamp.nullable(),
    changed_by: publicText().nullable(),
  })
  .meta({ id: 'Switches' });
export type SwitchBoardView = z.infer<typeof SwitchBoardView>;

export const switchOperations = defineOperations('gateway', {
  ops_switches_get: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/switches', root: 'app' },
    summary: "Returns the operator's switches.",
    output: SwitchBoardView,
  },
  ops_switches_put: {
    ...leadWrites,
    rest: { method: 'PUT', path: '/api/ops/switches', root: 'app' },
    // It runs its own command, because an answer, a replayed one too, waits until every gateway uses the switches.
    ownRecord: true,
    summary: 'Sets switches. Every request that arrives after the answer finds them; one left out stays as it is.',
    body: closed({
      payments_open: booleanInput().optional().describe('Whether orders can be paid.'),
      writes_open: booleanInput().optional().describe('Whether brands can write; replays still answer.'),
      invoice_rail: booleanInput().optional().describe('Whether an order can be paid by invoice.'),
      deprecated_until: closed(untilOf((field) => later(DEPRECATED_FIELDS[field]).optional()))
        .optional()
        .describe('Serves deprecated fields longer, each until its own day. Null is the published day again.'),
      extensions: booleanInput().optional().describe('Whether tools beyond the specification are listed.'),
      reason: reason(),
    }),
    output: SwitchBoardView,
  },
});
