import { badRequest, type DeadLetter } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { askEach, type EventAdmins, servicesOr } from '../event-admins.js';

const PAGE = 50;

/** Oldest first; services that do not answer are named (docs/domain/operators.md#operators). */
export const opsDeadLettersList: ReadHandler<'ops_dead_letters_list', { eventAdmins: EventAdmins }> = async (
  ctx,
  input,
  { eventAdmins },
) => {
  const limit = input.limit ?? PAGE;
  const asked = { state: input.state ?? ('parked' as const), after: placeIn(input.cursor), limit: limit + 1 };
  const { answers, unavailable } = await askEach(servicesOr(input.service), (service) =>
    eventAdmins[service].deadLetters(ctx, asked),
  );

  const letters = answers.flatMap((answer) => answer.letters).sort(oldestFirst);
  const page = letters.slice(0, limit);
  const last = page.at(-1);
  return {
    dead_letters: page,
    total: answers.reduce((sum, answer) => sum + answer.total, 0),
    unavailable,
    next: letters.length > limit && last !== undefined ? cursorOf(last) : null,
  };
};

const oldestFirst = (one: DeadLetter, other: DeadLetter): number =>
  Date.parse(one.parked_at) - Date.parse(other.parked_at) || (one.id < other.id ? -1 : 1);

const cursorOf = ({ parked_at, id }: DeadLetter): string => `${Date.parse(parked_at)}.${id}`;

const placeIn = (cursor: string | undefined): { parked_at: string; id: string } | null => {
  if (cursor === undefined) return null;
  const [, at, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw badRequest([{ field: 'cursor', message: 'must be the `next` of the previous page' }]);
  return { parked_at: new Date(Number(at)).toISOString(), id };
};
