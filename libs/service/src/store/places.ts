import { badRequest } from '@cds/contracts';

/** A place in a list that is ordered by a time, then by id: behind this row. */
export type Place = { at: Date; id: string };

const PAGE = 50;

type Direction = 'oldest first' | 'newest first';

/** The filter of the rows behind a place; all of them without one. */
export const after = (
  field: string,
  place: Place | null,
  direction: Direction = 'oldest first',
): Record<string, unknown> => {
  if (place === null) return {};
  const behind = direction === 'oldest first' ? '$gt' : '$lt';
  return { $or: [{ [field]: { [behind]: place.at } }, { [field]: place.at, _id: { [behind]: place.id } }] };
};

export const inOrder = (field: string, direction: Direction = 'oldest first'): Record<string, 1 | -1> => {
  const way = direction === 'oldest first' ? 1 : -1;
  return { [field]: way, _id: way };
};

const placeIn = (cursor: string | undefined): Place | null => {
  if (cursor === undefined) return null;
  const [, at, id] = /^(\d{1,15})\.([0-9A-Za-z-]{1,64})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw badRequest([{ field: 'cursor', message: 'must be the `next` of the previous page' }]);
  return { at: new Date(Number(at)), id };
};

/**
 * One page of a list: reads a row more than it shows, so that `next` is null exactly at the end. Raises bad_request.
 */
export const listed = async <Row, Item>(
  input: { cursor?: string | undefined; limit?: number | undefined },
  list: {
    rows: (place: Place | null, limit: number) => Promise<Row[]>;
    placeOf: (row: Row) => Place;
    present: (row: Row) => Item;
  },
): Promise<{ items: Item[]; next: string | null }> => {
  const limit = input.limit ?? PAGE;
  const rows = await list.rows(placeIn(input.cursor), limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items: page.map(list.present), next: more ? cursorOf(list.placeOf(last)) : null };
};

const cursorOf = ({ at, id }: Place): string => `${at.getTime()}.${id}`;
