/** The task that a creator's application opens (docs/domain/network.md#applications). */
import type { Format } from '@cds/contracts';
import { dayOf } from '@cds/service/calendar';
import { namedUuid } from '@cds/service/named-uuid';
import type { OpenedTask } from '../import/tasks.js';
import { allInCents, FORMAT_LABEL } from '../pricing/prices.js';

export type Application = { followers: number; units: readonly { format: Format; ask_cents: number }[] };

const grouped = (value: number): string => value.toLocaleString('en-US');

/** One task per creator and day. Prices are all-in, as everywhere outside catalog. */
export const creatorApplied = (
  creatorId: string,
  { followers, units }: Application,
  known: boolean,
  at: Date,
): OpenedTask => ({
  aggregate: namedUuid('creator_applied', creatorId, dayOf(at)),
  version: 1,
  kind: 'creator_applied',
  about: { creator_id: creatorId },
  note: [
    known ? 'It is in the network already, and stays as it is.' : 'It is new.',
    `States ${grouped(followers)} followers, all-in prices:`,
    `${units.map(({ format, ask_cents }) => `${FORMAT_LABEL[format]} $${grouped(allInCents(ask_cents) / 100)}`).join(', ')}.`,
  ].join(' '),
  opened_at: at.toISOString(),
});
