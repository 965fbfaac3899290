import { z } from 'zod';
import { publicText, Timestamp } from '../fields.js';
import { Order } from './orders.js';

export const RAILS = ['checkout', 'invoice'] as const;

export type Rail = (typeof RAILS)[number];

/** A way to pay (docs/specification.md#paymentoption). */
export const PaymentOption = z
  .object({ rail: z.enum(RAILS), label: publicText(), clears: publicText() })
  .meta({ id: 'PaymentOption' });
export type PaymentOption = z.infer<typeof PaymentOption>;

/** The payment link of an order, to our own page; the same in every replay (docs/domain/orders.md#payment-link). */
export const Payment = z
  .object({
    rail: z.enum(RAILS),
    label: publicText(),
    clears: publicText(),
    url: publicText().meta({ format: 'uri' }),
    expires_at: Timestamp,
  })
  .meta({ id: 'Payment' });
export type Payment = z.infer<typeof Payment>;

/** `payment` is null once paid or cancelled, and without plans:approve (docs/domain/orders.md#policy-in-the-quote). */
export const OrderInQuote = Order.extend({ payment: Payment.nullable() }).meta({ id: 'OrderInQuote' });
export type OrderInQuote = z.infer<typeof OrderInQuote>;
