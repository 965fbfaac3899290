/** The formats that an import states, with the price rows that are new (domain 1-network 3 and 12). */
import { FORMATS, type Format } from '@cds/contracts';
import type { CurrentPrice, PriceRow, Unit } from '../creator/creator.js';
import { allInCents, currentAfter, DELIVERABLE, FORMAT_LABEL } from '../pricing/prices.js';
import type { ImportSource, NewId } from './import-source.js';
import type { ImportedCreator, ImportedUnit } from './imported-creator.js';
import { askUnderTeamPrice, type OpenedTask } from './tasks.js';

/** What an import makes of units: all of them in the order post, quote, thread, the rows to add, and what the team is told. */
type TakenUnits = { units: Unit[]; prices: PriceRow[]; tasks: OpenedTask[] };

/** The units of a creator after an import. An ask that is known already adds no row and opens no task. */
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

/** The ask of a format that holds where a creator states several: the newest, of one day the last. */
const newestOf = (units: readonly ImportedUnit[], format: Format): ImportedUnit | undefined =>
  units
    .filter((unit) => unit.format === format)
    .reduce<ImportedUnit | undefined>(
      (newest, unit) => (newest && newest.as_of > unit.as_of ? newest : unit),
      undefined,
    );

/**
 * A unit once a price was offered for it. A creator's ask never replaces a price that the team set: it is noted beside
 * it, in net cents, and opens a task.
 */
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
  // An ask that the team has answered with a price of its own is known from then on.
  return { unit: { ...(current.method === 'set_price' ? unit : plain), price: current }, task: null };
};

const priceOf = (unit: ImportedUnit, source: ImportSource): CurrentPrice => ({
  price_cents: allInCents(unit.ask_cents),
  source: unit.source,
  method: unit.method,
  as_of: unit.as_of,
  recorded_at: source.recordedAt,
});

/**
 * Whether an ask says nothing new: the price that holds or one before it, or the ask that stands beside the team's price.
 */
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
