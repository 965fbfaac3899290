import { AppError, type DeadLetter } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { type Desks, desksFor } from '../events/desks.js';

const PAGE = 50;

/** The events that services set aside, over all of them, the oldest first. Source: domain 4-doors 4. */
export const opsDeadLettersList: ReadHandler<'ops_dead_letters_list', { desks: Desks }> = async (
  ctx,
  input,
  { desks },
) => {
  const limit = input.limit ?? PAGE;
  const asked = { state: input.state ?? ('parked' as const), after: placeIn(input.cursor), limit: limit + 1 };
  const lists = await Promise.all(desksFor(desks, input.service).map((desk) => desk.deadLetters(ctx, asked)));

  const letters = lists.flatMap((list) => list.letters).sort(oldestFirst);
  const page = letters.slice(0, limit);
  const last = page.at(-1);
  return { dead_letters: page, next: letters.length > limit && last !== undefined ? cursorOf(last) : null };
};

const oldestFirst = (one: DeadLetter, other: DeadLetter): number =>
  Date.parse(one.parked_at) - Date.parse(other.parked_at) || (one.id < other.id ? -1 : 1);

const cursorOf = ({ parked_at, id }: DeadLetter): string => `${Date.parse(parked_at)}.${id}`;

const placeIn = (cursor: string | undefined): { parked_at: string; id: string } | null => {
  if (cursor === undefined) return null;
  const [, at, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw new AppError('bad_request', 'The request could not be read. Correct the fields that are named.', {
      problems: [{ field: 'cursor', message: 'must be the former answer’s next' }],
    });
  return { parked_at: new Date(Number(at)).toISOString(), id };
};
