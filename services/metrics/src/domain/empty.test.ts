import { describe, expect, it } from '@jest/globals';
import { aBooking, anOrder, aSignedLine } from '../test/builders.js';
import { emptyNote } from './empty.js';
import { type Line, withOffer, withSigned } from './line.js';

const aLine = (state: ReturnType<typeof anOrder>['payment_state'], booked: string | null = null): Line => {
  const signed = aSignedLine();
  const order = anOrder({ lines: [signed], payment_state: state });
  const line = withSigned(null, order, signed);
  const offered = booked === null ? line : withOffer(line, aBooking(order, signed, { scheduled_date: booked }));
  if (offered === null) throw new Error('the events are new');
  return offered;
};

describe('why no post is live (docs/domain/orders.md#results)', () => {
  it.each<[string, Line[], string]>([
    ['nothing is signed', [], 'no plan is signed'],
    ['the order is unpaid', [aLine('unpaid')], 'the order is unpaid'],
    ['the payment is on its way', [aLine('processing'), aLine('unpaid')], 'the payment is on its way'],
    ['the order has ended', [aLine('cancelled'), aLine('refunded')], 'its order was cancelled or refunded'],
    ['nobody has booked', [aLine('paid'), aLine('unpaid')], 'no creator has confirmed a day yet'],
    [
      'posts are booked, by the first day ahead',
      [aLine('paid', '2026-12-04'), aLine('paid', '2026-12-02'), aLine('paid', '2026-11-20')],
      'the first is booked for 2 December 2026',
    ],
    ['booked days have passed', [aLine('paid', '2026-11-20')], 'the posts that were booked are late or gone'],
  ])('says that %s', (_name, lines, why) => {
    expect(emptyNote(lines, '2026-12-01')).toBe(`No post is live: ${why}.`);
  });
});
