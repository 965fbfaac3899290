import type { Changed, Columns } from './columns.js';
import type { PriceOf, Row } from './rows.js';

/** Ties go by median views, nulls last, then id (docs/domain/network.md#list-order). */
export type OrderKey = 'followers' | 'rates' | 'medians' | `cheapest.${PriceOf}`;

export const keyColumn = (columns: Columns, key: OrderKey): Float64Array => {
  switch (key) {
    case 'followers':
    case 'rates':
    case 'medians':
      return columns[key];
    default:
      return columns.cheapest[key.slice('cheapest.'.length) as PriceOf];
  }
};

type Sorted = { key: OrderKey; ascending: boolean; places: Uint32Array };

/** Compares two figures; unknown ones come last in both directions. */
const nullsLast = (one: number, other: number, sign: 1 | -1): number => {
  if (one === other) return 0;
  const [unknown, otherUnknown] = [Number.isNaN(one), Number.isNaN(other)];
  if (unknown || otherUnknown) return Number(unknown) - Number(otherUnknown);
  return sign * (one - other);
};

const comparing = (rows: readonly Row[], columns: Columns, key: OrderKey, ascending: boolean) => {
  const figures = keyColumn(columns, key);
  const { medians } = columns;
  const sign = ascending ? 1 : -1;
  const idOf = (place: number): string => rows[place]?.creator._id ?? '';
  return (one: number, other: number): number =>
    nullsLast(figures[one] as number, figures[other] as number, sign) ||
    nullsLast(medians[one] as number, medians[other] as number, -1) ||
    (idOf(one) < idOf(other) ? -1 : 1);
};

const merged = (
  former: Uint32Array,
  changed: Changed,
  size: number,
  compare: (one: number, other: number) => number,
): Uint32Array => {
  const moved = new Uint8Array(Math.max(changed.from, size));
  for (const place of changed.places) moved[place] = 1;
  const entering = changed.places.filter((place) => place < size).sort(compare);
  const order = new Uint32Array(size);
  let at = 0;
  let next = 0;
  for (const place of former) {
    if (moved[place] === 1) continue;
    while (next < entering.length && compare(entering[next] as number, place) < 0)
      order[at++] = entering[next++] as number;
    order[at++] = place;
  }
  while (next < entering.length) order[at++] = entering[next++] as number;
  return order;
};

export class SortOrders {
  private readonly sorted = new Map<string, Sorted>();

  constructor(
    private readonly rows: readonly Row[],
    private readonly columns: Columns,
    former: { orders: SortOrders; changed: Changed } | null,
  ) {
    for (const [name, { key, ascending, places }] of former?.orders.sorted ?? []) {
      const changed = former?.changed;
      if (changed === undefined) continue;
      const compare = comparing(rows, columns, key, ascending);
      this.sorted.set(name, { key, ascending, places: merged(places, changed, rows.length, compare) });
    }
  }

  by(key: OrderKey, ascending: boolean): Uint32Array {
    const name = `${key}|${ascending}`;
    const held = this.sorted.get(name);
    if (held !== undefined) return held.places;
    const places = Uint32Array.from(this.rows.keys()).sort(comparing(this.rows, this.columns, key, ascending));
    this.sorted.set(name, { key, ascending, places });
    return places;
  }
}
