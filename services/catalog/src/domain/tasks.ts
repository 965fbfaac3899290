/** What catalog asks the operator's team to do (domain 1-network 3 and 5; 4-doors 4). */
import { createHash } from 'node:crypto';
import type { EventPayload } from '@cds/contracts';
import type { CurrentPrice, Unit } from './creator.js';
import { FORMAT_LABEL } from './prices.js';

/** A task as it is opened; its id follows from what it is about, so that it is opened once. */
export type OpenedTask = EventPayload<'catalog_task.opened'>;

/** A UUID (version 8) that the same words always make. */
const idOf = (...words: readonly string[]): string => {
  const bytes = createHash('sha256').update(words.join('|')).digest().subarray(0, 16);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

const dollarsOf = (cents: number): string => `$${(cents / 100).toLocaleString('en-US')}`;

/** A sync took an approved creator to borderline; `syncedAt` are the facts that it follows from. */
export const creatorToReview = (creatorId: string, syncedAt: Date, concern: string | null, at: Date): OpenedTask => ({
  aggregate: idOf('creator_to_review', creatorId, syncedAt.toISOString()),
  version: 1,
  kind: 'creator_to_review',
  about: { creator_id: creatorId },
  note: concern === null ? null : `Found: ${concern}.`,
  opened_at: at.toISOString(),
});

/** A creator asked for a price where the team has set one; `asked` is what its ask would cost all-in. */
export const askUnderTeamPrice = (
  creatorId: string,
  unit: Pick<Unit, 'unit_id' | 'format'> & { price: CurrentPrice },
  asked: CurrentPrice,
): OpenedTask => ({
  aggregate: idOf('ask_under_team_price', unit.unit_id, String(asked.price_cents), asked.as_of),
  version: 1,
  kind: 'ask_under_team_price',
  about: { creator_id: creatorId, unit_id: unit.unit_id },
  note: `${FORMAT_LABEL[unit.format]}: asked ${dollarsOf(asked.price_cents)} all-in as of ${asked.as_of}; the team’s price is ${dollarsOf(unit.price.price_cents)}.`,
  opened_at: asked.recorded_at.toISOString(),
});
