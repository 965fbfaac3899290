/** Tasks for the operator's team (docs/domain/operators.md#tasks-and-feedback). */
import type { EventPayload } from '@cds/contracts';
import { namedUuid } from '@cds/service/named-uuid';
import type { CurrentPrice, Unit } from '../creator/creator.js';
import { FORMAT_LABEL } from '../pricing/prices.js';

/** An opened task. Its id is derived from its subject, so that it opens only once. */
export type OpenedTask = EventPayload<'catalog_task.opened'>;

const dollarsOf = (cents: number): string => `$${(cents / 100).toLocaleString('en-US')}`;

export const creatorToReview = (creatorId: string, syncedAt: Date, concern: string | null, at: Date): OpenedTask => ({
  aggregate: namedUuid('creator_to_review', creatorId, syncedAt.toISOString()),
  version: 1,
  kind: 'creator_to_review',
  about: { creator_id: creatorId },
  note: concern === null ? null : `Found: ${concern}.`,
  opened_at: at.toISOString(),
});

/** A creator asked for a price where the team has set one; `asked` is its ask as an all-in price. */
export const askUnderTeamPrice = (
  creatorId: string,
  unit: Pick<Unit, 'unit_id' | 'format'> & { price: CurrentPrice },
  asked: CurrentPrice,
): OpenedTask => ({
  aggregate: namedUuid('ask_under_team_price', unit.unit_id, String(asked.price_cents), asked.as_of),
  version: 1,
  kind: 'ask_under_team_price',
  about: { creator_id: creatorId, unit_id: unit.unit_id },
  note: `${FORMAT_LABEL[unit.format]}: asked ${dollarsOf(asked.price_cents)} all-in as of ${asked.as_of}; the team’s price is ${dollarsOf(unit.price.price_cents)}.`,
  opened_at: asked.recorded_at.toISOString(),
});
