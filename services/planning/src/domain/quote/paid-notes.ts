/** What a colleague would mention about a paid campaign (docs/domain/plans.md#notes). */
import { NOTE_KINDS, type Note, type PaymentState } from '@cds/contracts';
import type { LineAhead } from './line-next.js';
import type { LineProgress } from './stage.js';

type PaidLine = { progress: LineProgress; ahead: LineAhead };

const PAID: readonly (PaymentState | null)[] = ['paid', 'partially_refunded'];

/** Notes on the lines of a paid order, most important first; none for another. */
export const paidNotes = (lines: readonly PaidLine[], order: PaymentState | null): Note[] =>
  PAID.includes(order)
    ? [...choices(lines), ...blocked(lines), ...credits(lines)].sort(
        (one, other) => NOTE_KINDS.indexOf(one.kind) - NOTE_KINDS.indexOf(other.kind),
      )
    : [];

const choices = (lines: readonly PaidLine[]): Note[] => {
  const until = lines
    .filter(({ progress }) => !progress.cancelled)
    .flatMap(({ ahead }) => ahead.search?.choose_until ?? [])
    .sort();
  const [first] = until;
  return first === undefined
    ? []
    : [
        {
          kind: 'replacement_choice',
          text: `${counted(until.length, 'post lost its creator', 'posts lost their creators')}. Choose a replacement with POST /lines/{id}/replace (tool line_replace, where listed) before ${first}, or the search takes the first candidate.`,
          fields: ['plan.lines.next.candidates'],
        },
      ];
};

const blocked = (lines: readonly PaidLine[]): Note[] => {
  const count = lines.filter(
    ({ progress }) => !progress.cancelled && progress.booked && progress.post?.status === 'blocked',
  ).length;
  return count === 0
    ? []
    : [
        {
          kind: 'post_blocked',
          text: `${counted(count, 'post is', 'posts are')} missing, removed or not disclosed. Its next step says what happens and when.`,
          fields: ['plan.lines.next'],
        },
      ];
};

const credits = (lines: readonly PaidLine[]): Note[] => {
  const cents = lines.reduce(
    (sum, { ahead }) => sum + ahead.credits.reduce((total, one) => total + one.amount_cents, 0),
    0,
  );
  return cents === 0
    ? []
    : [
        {
          kind: 'credited',
          text: `${(cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })} of this order is credited to you. The next step of each line says how much is for it.`,
          fields: ['plan.lines.next'],
        },
      ];
};

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
