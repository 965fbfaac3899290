import type { ApprovalEvidence, ErrorBody, OrderLine, Receipt, ReceiptLine, WriteRefusal } from '@cds/contracts';
import { canonicalJson } from '@cds/service/canonical-json';
import { namedUuid } from '@cds/service/named-uuid';
import type { Hold } from './authority.js';
import { CURRENCY } from './constants.js';
import { passedRules, refusedRules } from './receipt-rules.js';

/**
 * Made of hold and verdict alone, so that whoever finishes a signing says the same (docs/domain/orders.md#receipts).
 */
export type ReceiptRow = {
  _id: string;
  ws: string;
  kind: Receipt['kind'];
  signing_id: string;
  at: Date;
  jws: string;
};

export const receiptIdOf = ({ signing_id }: Pick<Hold, 'signing_id'>): string => namedUuid('receipt', signing_id);

const HOUR_MS = 3_600_000;

/**
 * Equal refusals of one hour share a receipt, so a key that asks in a loop has one (docs/domain/orders.md#receipts).
 */
export const refusalIdOf = (
  hold: Hold,
  { details = {} }: Pick<ErrorBody, 'details'>,
  evidence: ApprovalEvidence | undefined,
): string => {
  const { principal, plan_id, plan_version, terms_fingerprint, mandate_version, terms_version, approved_at } = hold;
  const rules = refusedRules(hold, evidence, details).map(({ figures: { now: _instant, ...figures }, ...rule }) => ({
    ...rule,
    figures,
  }));
  return namedUuid(
    'refusal',
    principal.workspace,
    principal.key,
    canonicalJson({ plan_id, plan_version, terms_fingerprint, mandate_version, terms_version, details }),
    canonicalJson({ rules, lines: evidence?.lines ?? [] }),
    String(Math.floor(approved_at.getTime() / HOUR_MS)),
  );
};

export const signedReceipt = (
  issuer: string,
  hold: Hold,
  { lines, evidence }: { lines: readonly OrderLine[]; evidence?: ApprovalEvidence | undefined },
): Receipt => ({
  ...whatWasAsked(issuer, hold, evidence),
  id: receiptIdOf(hold),
  kind: 'signed',
  order_id: hold.order_id,
  total_cents: hold.total_cents,
  lines: evidence?.lines ?? lines.map(unread),
  rules: passedRules(hold, evidence),
});

export const refusedReceipt = (
  issuer: string,
  hold: Hold,
  refusal: Pick<ErrorBody, 'details'>,
  evidence: ApprovalEvidence | undefined,
): Receipt => ({
  ...whatWasAsked(issuer, hold, evidence),
  id: refusalIdOf(hold, refusal, evidence),
  kind: 'refused',
  order_id: null,
  // The hold of a refusal has 0 cents.
  total_cents: hold.check?.asked.total_cents ?? null,
  lines: evidence?.lines ?? [],
  rules: refusedRules(hold, evidence, refusal.details ?? {}),
});

/** No plan, prices or brand terms were judged yet. */
export const refusedWriteReceipt = (
  issuer: string,
  { workspace, sandbox }: Pick<Receipt, 'workspace' | 'sandbox'>,
  refusal: WriteRefusal,
): Receipt => ({
  ...refusal,
  v: 1,
  kind: 'refused',
  issuer,
  workspace,
  sandbox,
  brand_terms_version: null,
  plan_id: null,
  plan_version: null,
  terms_fingerprint: null,
  order_id: null,
  currency: CURRENCY,
  prices_read_at: null,
  lines: [],
});

const whatWasAsked = (
  issuer: string,
  hold: Hold,
  evidence: ApprovalEvidence | undefined,
): Omit<Receipt, 'id' | 'kind' | 'order_id' | 'total_cents' | 'lines' | 'rules'> => ({
  v: 1,
  issuer,
  workspace: hold.ws,
  sandbox: hold.principal.sandbox,
  request_id: hold.check?.request_id ?? null,
  operation: 'approve_plan',
  key_id: hold.principal.key,
  parent_key_id: hold.principal.parent?.key ?? null,
  mandate_version: hold.mandate_version,
  brand_terms_version: hold.terms_version,
  plan_id: hold.plan_id,
  plan_version: hold.plan_version,
  terms_fingerprint: hold.terms_fingerprint,
  currency: CURRENCY,
  prices_read_at: evidence?.at ?? null,
  at: hold.approved_at.toISOString(),
});

/** An older release of planning did not report the current price. */
const unread = ({ line_id, unit_id, scheduled_date, price_cents }: OrderLine): ReceiptLine => ({
  line_id,
  unit_id,
  scheduled_date,
  price_cents,
  current_price_cents: null,
  on_sale: null,
});
