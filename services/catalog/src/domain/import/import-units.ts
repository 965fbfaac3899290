/** The units that an import states, and their new price rows (docs/domain/network.md#prices). */
import { FORMATS, type Format } from '@cds/contracts';
import type { CurrentPrice, PriceRow, Unit } from '../creator/creator.js';
import { allInCents, currentAfter, DELIVERABLE, FORMAT_LABEL } from '../pricing/prices.js';
import type { ImportSource, NewId } from './import-source.js';
import type { ImportedCreator, ImportedUnit } from './imported-creator.js';
import { askUnderTeamPrice, type OpenedTask } from './tasks.js';

type TakenUnits = { units: Unit[]; prices: PriceRow[]; tasks: OpenedTask[] };

export const takeUnits = (
  facts: ImportedCreator,
  held: readonly Unit[],
  creatorId: string,
  source: ImportSource,
  newId: NewId,
): TakenUnits => {
  const taken: TakenUnits = { units: [], prices: [], tasks: [] };
  for (const format of FORMATS) {
    const before = held.find((unit) => unit.format === format);
    const offered = newestOf(facts.units, format);
    if (offered === undefined) {
      if (before !== undefined) taken.units.push(before);
      continue;
    }

    const unit: Unit = {
      unit_id: before?.unit_id ?? facts.generated?.unit_ids[format] ?? newId(),
      format,
      label: offered.label ?? FORMAT_LABEL[format],
      deliverable: offered.deliverable ?? DELIVERABLE[format],
      price: before?.price ?? null,
      ...(before?.asked_cents === undefined ? {} : { asked_cents: before.asked_cents }),
    };
    const price = priceOf(offered, source);
    if (!isKnown(unit, offered, price)) {
      taken.prices.push({
        _id: newId(),
        unit_id: unit.unit_id,
        creator_id: creatorId,
        net_ask_cents: offered.ask_cents,
        set_by: source.setBy,
        ...price,
      });
      const { task, ...priced } = unitAsked(unit, offered.ask_cents, price, creatorId);
      taken.units.push(priced.unit);
      if (task !== null) taken.tasks.push(task);
    } else taken.units.push(unit);
  }
  return taken;
};

/** The ask that counts when a creator states several for a format: the newest, and of one day the last. */
const newestOf = (units: readonly ImportedUnit[], format: Format): ImportedUnit | undefined =>
  units
    .filter((unit) => unit.format === format)
    .reduce<ImportedUnit | undefined>(
      (newest, unit) => (newest && newest.as_of > unit.as_of ? newest : unit),
      undefined,
    );

/** A creator's ask never replaces the team's price: it is noted beside it, in net cents, and opens a task. */
export const unitAsked = (
  unit: Unit,
  askCents: number,
  offered: CurrentPrice,
  creatorId: string,
): { unit: Unit; task: OpenedTask | null } => {
  const { price } = unit;
  if (price?.method === 'set_price' && offered.source === 'creator')
    return {
      unit: { ...unit, asked_cents: askCents },
      task: askUnderTeamPrice(creatorId, { ...unit, price }, offered),
    };
  const { asked_cents: _known, ...plain } = unit;
  const current = currentAfter(price, offered);
  // Once the team has answered an ask with its own price, the ask is known.
  return { unit: { ...(current.method === 'set_price' ? unit : plain), price: current }, task: null };
};

const priceOf = (unit: ImportedUnit, source: ImportSource): CurrentPrice => ({
  price_cents: allInCents(unit.ask_cents),
  source: unit.source,
  method: unit.method,
  as_of: unit.as_of,
  recorded_at: source.recordedAt,
});

/** An ask is nothing new when it equals the current price, is older, or is noted beside the team's price. */
const isKnown = (
  { price, asked_cents: asked }: Unit,
  { ask_cents: ask }: ImportedUnit,
  offered: CurrentPrice,
): boolean => {
  if (price === null) return false;
  if (price.price_cents === offered.price_cents && price.as_of === offered.as_of && price.method === offered.method)
    return true;
  return price.method === 'set_price' && offered.source === 'creator' ? asked === ask : offered.as_of < price.as_of;
};
