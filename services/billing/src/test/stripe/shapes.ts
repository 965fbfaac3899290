// What the test server of Stripe keeps, in the shapes that Stripe documents.

export type Metadata = Record<string, string>;
export type FakeSession = {
  id: string;
  object: 'checkout.session';
  mode: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  payment_intent: string | null;
  allowed_payment_method_types: string[];
  amount_total: number;
  currency: string;
  client_reference_id: string | null;
  metadata: Metadata;
  payment_metadata: Metadata;
  url: string | null;
  expires_at: number;
  success_url: string;
};
export type FakePayment = {
  id: string;
  object: 'payment_intent';
  status: 'succeeded' | 'processing' | 'requires_payment_method';
  amount: number;
  refunded: number;
  currency: string;
  metadata: Metadata;
};
export type FakeRefund = {
  id: string;
  object: 'refund';
  payment_intent: string;
  amount: number;
  currency: string;
  status: 'succeeded' | 'failed' | 'canceled';
  failure_reason: string | null;
  metadata: Metadata;
};
export type FakeEvent = {
  id: string;
  object: 'event';
  type: string;
  livemode: boolean;
  created: number;
  data: { object: object };
};
