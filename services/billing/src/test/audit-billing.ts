import type { Store } from '@cds/service';
import { type CommandRow, wrongRecords } from '@cds/service/testing';
import type { Credit } from '../domain/credit.js';
import type { Order } from '../domain/order.js';
import type { LedgerEntry } from '../domain/order-state.js';
import type { Refund } from '../domain/refund.js';
import { auditAuthority } from './audits/authority.js';
import { wrongInBooks } from './audits/books.js';
import { actsOfLedger, type Sealed, withoutEntry } from './audits/entries.js';
import { type KeptReceipt, receiptsProve } from './audits/receipts.js';
import { wrongInRepayments } from './audits/repayments.js';

/**
 * Every audit over billing's own database at rest: counters, ledgers, repayments, receipts, stored answers and audit
 * entries. Each sentence names an invariant and what breaks it; none means all is well.
 */
export const auditBilling = async (store: Store): Promise<string[]> => {
  const all = <Row extends object>(name: string): Promise<Row[]> =>
    store.db.collection<Row & { _id: never }>(name).find().toArray() as Promise<unknown> as Promise<Row[]>;
  const orders = await all<Order>('orders');
  const ledger = (await all<LedgerEntry>('ledger')).toSorted((one, other) => one.seq - other.seq);
  const rows = await all<CommandRow>('commands');
  const refusals = rows.filter(({ op, status }) => op === 'approve_plan' && status === 403);
  return [
    ...(await auditAuthority(store)).map(({ invariant, object, problem }) => `${invariant}: ${object}: ${problem}`),
    ...wrongInBooks({ orders, ledger }),
    ...wrongInRepayments({
      orders,
      ledger,
      refunds: await all<Refund>('refunds'),
      credits: await all<Credit>('credits'),
    }),
    ...(await receiptsProve(await all<KeptReceipt>('receipts'), orders, refusals)),
    ...wrongRecords([{ service: 'billing', rows }]),
    ...withoutEntry(actsOfLedger(ledger), await all<Sealed>('audit')),
  ];
};
