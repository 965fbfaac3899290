import { z } from 'zod';
import { CHECKS_AFTER_FINGERPRINT, CHECKS_BEFORE_FINGERPRINT } from '../approve-checks.js';
import { CalendarDate, Cents, publicText, Timestamp, Uuid } from '../fields.js';
import { closed, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { brandReads, internalReads } from '../operation-kinds.js';

/** What a receipt proves: that approve signed a plan, or that the mandate refused a write. */
export const RECEIPT_KINDS = ['signed', 'refused'] as const;

/** The checks of approve in their order, by the reason that each refuses with (docs/domain/orders.md#receipts). */
export const RECEIPT_RULES = [
  ...CHECKS_BEFORE_FINGERPRINT,
  'terms_changed',
  ...CHECKS_AFTER_FINGERPRINT,
  'payments_closed',
  'rail_not_offered',
] as const;
export type ReceiptRule = (typeof RECEIPT_RULES)[number];

/** What a check was decided by, named as in the details of a refusal. Amounts are integer US cents. */
const Figures = z.record(z.string(), z.union([publicText(), z.int(), z.boolean(), z.null(), z.array(publicText())]));
export type ReceiptFigures = z.infer<typeof Figures>;

export const ReceiptRuleResult = z.object({ rule: z.enum(RECEIPT_RULES), passed: z.boolean(), figures: Figures });
export type ReceiptRuleResult = z.infer<typeof ReceiptRuleResult>;

/** A line as approve judged it; what was read is null in a signing that an older release began. */
export const ReceiptLine = z.object({
  line_id: Uuid,
  unit_id: Uuid.nullable(),
  scheduled_date: CalendarDate,
  price_cents: Cents.meta({ description: 'Its price in the plan in US cents.' }),
  current_price_cents: Cents.nullable().meta({ description: 'The price of its unit as just read, in US cents.' }),
  on_sale: z.boolean().nullable().meta({ description: 'Whether its unit was for sale and its date had not passed.' }),
});
export type ReceiptLine = z.infer<typeof ReceiptLine>;

/** A receipt's payload as canonical JSON (RFC 8785), so it holds no fractions (docs/domain/orders.md#receipts). */
export const Receipt = z
  .object({
    v: z.literal(1).meta({ description: 'The version of this form.' }),
    id: Uuid,
    kind: z.enum(RECEIPT_KINDS),
    issuer: publicText().meta({ description: 'The address of the application that signed it.' }),
    workspace: Uuid,
    sandbox: z.boolean(),
    request_id: publicText().nullable(),
    operation: publicText().meta({ description: 'The operation that was asked for, such as approve_plan.' }),
    key_id: Uuid,
    parent_key_id: Uuid.nullable().meta({ description: 'The key that made key_id; null if no key did.' }),
    mandate_version: z.int().min(0),
    brand_terms_version: publicText()
      .nullable()
      .meta({ description: 'The brand terms in force; null for another write than approve.' }),
    plan_id: Uuid.nullable().meta({ description: 'The plan of an approve; null for another write.' }),
    plan_version: z.int().min(1).nullable(),
    terms_fingerprint: publicText().nullable().meta({ description: 'As it was sent to approve.' }),
    order_id: Uuid.nullable().meta({ description: 'The order of a signing; null for a refusal.' }),
    total_cents: Cents.nullable().meta({ description: "The plan's total after the write; null if none was judged." }),
    currency: publicText(),
    prices_read_at: Timestamp.nullable().meta({
      description: 'When the current prices were read, in real time also in a sandbox.',
    }),
    lines: z.array(ReceiptLine),
    rules: z
      .array(ReceiptRuleResult)
      .meta({ description: 'The checks in their order; those of a refusal end with the one that failed.' }),
    at: Timestamp.meta({ description: 'When it was decided; business time in a sandbox.' }),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.infer<typeof Receipt>;

export const SignedReceipt = z
  .object({
    id: Uuid,
    kind: z.enum(RECEIPT_KINDS),
    at: Timestamp,
    jws: publicText().meta({
      description: 'Compact JWS whose payload is the canonical JSON of `receipt`: EdDSA with an Ed25519 key.',
    }),
    receipt: Receipt,
  })
  .meta({ id: 'SignedReceipt' });
export type SignedReceipt = z.infer<typeof SignedReceipt>;

/** A public key of receipts as a JWK (RFC 8037); its `kid` is its thumbprint (RFC 7638). */
export const ReceiptKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: publicText(),
  kid: publicText(),
  use: z.literal('sig'),
  alg: z.literal('EdDSA'),
});
export type ReceiptKey = z.infer<typeof ReceiptKey>;

export const receiptOperations = defineOperations('billing', {
  receipt_get: {
    ...brandReads('campaigns:read'),
    rest: { method: 'GET', path: '/receipts/{id}', root: 'v1' },
    summary: 'Returns the signed receipt of a signing, or of a write that the mandate refused.',
    params: closed({ id: uuidInput().describe('The receipt_id of an order, or of a mandate_refused error.') }),
    output: SignedReceipt,
  },
  receipt_keys: {
    ...internalReads,
    callers: ['gateway'],
    summary: 'Returns the public keys of receipts, the one that signs new receipts first.',
    body: z.object({}),
    output: z.object({ keys: z.array(ReceiptKey) }),
  },
});
