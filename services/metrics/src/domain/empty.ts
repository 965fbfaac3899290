// Why evidence and results list nothing (docs/domain/orders.md#results).
import { isOver, type Line, type Signed, scheduledDate } from './line.js';
import { dateText } from './texts.js';

export const emptyNote = (lines: readonly Line[], today: string): string =>
  `No post is live: ${whyNone(lines, today)}.`;

const whyNone = (lines: readonly Line[], today: string): string => {
  const signed = lines.filter(isSigned);
  if (signed.length === 0) return 'no plan is signed';
  const active = signed.filter((line) => !isOver(line));
  if (active.length === 0) return 'its order was cancelled or refunded';
  const paid = active.filter(
    ({ signed: { payment_state: state } }) => state === 'paid' || state === 'partially_refunded',
  );
  if (paid.length === 0)
    return active.some(({ signed: { payment_state: state } }) => state === 'processing')
      ? 'the payment is on its way'
      : 'the order is unpaid';

  const booked = paid.filter(({ offer }) => offer?.booked === true).map(scheduledDate);
  const first = booked.filter((day): day is string => day !== null && day >= today).sort()[0];
  if (first !== undefined) return `the first is booked for ${dateText(new Date(`${first}T00:00:00.000Z`))}`;
  return booked.length === 0 ? 'no creator has confirmed a day yet' : 'the posts that were booked are late or gone';
};

const isSigned = (line: Line): line is Line & { signed: Signed } => line.signed !== null;
