import { randomUUID } from 'node:crypto';
import { AppError, type Verdict } from '@cds/contracts';
import { type Ctx, type Deadline, inTx, isDuplicate, type MandateChecks, type Outcome, raiseAlarm } from '@cds/service';
import type { Dependencies } from '../dependencies.js';
import type { Hold } from '../domain/authority.js';
import { signedAudit, signedEntry, signedOrder } from '../domain/order.js';
import { type SigningTask, signingWithoutOrder } from '../domain/tasks.js';
import { linkPlaces, presentApproved } from '../present/approved.js';
import { presentOrderChanged } from '../present/books.js';
import type { Authorities } from '../store/authority.js';
import type { Ledger } from '../store/ledger.js';
import type { Orders } from '../store/orders.js';
import type { Receipts } from '../store/receipts.js';
import type { PayTokens } from './pay-tokens.js';
import type { ReceiptIssuer } from './receipt-issuer.js';
import { APPROVE_PLAN, type Decided, type Ordered, underCommand } from './signing.js';
import { recordedCheck } from './steps.js';

export type TaskDependencies = Pick<Dependencies, 'store' | 'outbox' | 'log'> & { authorities: Authorities };
type OrderWriterDependencies = TaskDependencies &
  Pick<Dependencies, 'commands' | 'audit'> & {
    orders: Orders;
    ledger: Ledger;
    checks: MandateChecks;
    receipts: Receipts;
    issuer: ReceiptIssuer;
    tokens: PayTokens;
    appUrl: string;
  };

export class OrderWriter {
  constructor(private readonly deps: OrderWriterDependencies) {}

  /** All in one transaction. An order that belongs to another signing becomes an operator's task. */
  async write(ctx: Ctx, { hold, verdict }: Decided): Promise<Ordered> {
    const { store, commands, orders, ledger, checks, receipts, outbox, audit, log, tokens, appUrl } = this.deps;
    const { campaign, quote } = await this.checkedVerdict(ctx, hold, verdict);
    const order = signedOrder(hold, verdict.lines, campaign, tokens.hashOf(hold.pay_token));
    const kept = presentApproved(appUrl, hold, order, quote, '');
    const sealed = { secret: order.pay_token, places: linkPlaces(kept) };
    const at = ctx.networkNow;
    const check = recordedCheck(hold, null);
    const receipt = await this.deps.issuer.signed(hold, verdict);
    const entry = signedEntry(order, randomUUID());
    const signed = presentOrderChanged({ order, entries: [entry], credits: [] });
    try {
      await inTx(store, ctx.deadline, async (tx) => {
        await commands.record(tx, underCommand(ctx, hold), APPROVE_PLAN, 200, JSON.stringify(kept), sealed);
        await orders.insert(tx, order);
        await receipts.add(tx, receipt);
        await ledger.add(tx, [entry]);
        if (check !== null) await checks.add(tx, check);
        await outbox.add(tx, [{ name: 'order.changed', payload: signed }], at);
        await audit.add(tx, [signedAudit(order)], at);
      });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      if (await orders.exists(hold.ws, hold.order_id)) return { state: 'ordered', hold, outcome: null };
      raiseAlarm(
        log,
        'signing_without_order',
        { err: error, signing_id: hold.signing_id, order_id: hold.order_id },
        'a signed plan or its command belongs to another order: the hold stays for the operator',
      );
      return this.incomplete(ctx, hold);
    }
    const answer = presentApproved(appUrl, hold, order, quote, tokens.open(order.pay_token));
    const outcome: Outcome = { ok: true, status: 200, replayed: false, json: Buffer.from(JSON.stringify(answer)) };
    return { state: 'ordered', hold, outcome };
  }

  private async checkedVerdict(
    ctx: Ctx,
    hold: Hold,
    verdict: Verdict,
  ): Promise<{ campaign: NonNullable<Verdict['campaign']>; quote: NonNullable<Verdict['quote']> }> {
    const { campaign, quote } = verdict;
    if (campaign === null || quote === null) {
      throw new Error(`the verdict ${hold.signing_id} lacks its campaign or quote`);
    }
    if (verdict.order_id !== hold.order_id || verdict.total_cents !== hold.total_cents) {
      raiseAlarm(
        this.deps.log,
        'verdict_differs',
        { signing_id: hold.signing_id },
        'a verdict names another order or total than its hold',
      );
      return this.incomplete(ctx, hold);
    }
    return { campaign, quote };
  }

  private async incomplete(ctx: Ctx, hold: Hold): Promise<never> {
    await openTask(this.deps, signingWithoutOrder(hold, ctx.networkNow), hold, ctx.deadline);
    throw new AppError('internal', 'The signing could not be completed. Our team has been notified.');
  }
}

/** The mark on the hold and the event commit together. If this fails, whoever meets the hold next tries again. */
export const openTask = async (
  { store, outbox, log, authorities }: TaskDependencies,
  task: SigningTask,
  hold: Hold,
  deadline: Deadline,
): Promise<void> => {
  try {
    await inTx(store, deadline, async (tx) => {
      if (!(await authorities.markReported(tx, hold, task.kind))) return;
      await outbox.add(tx, [{ name: 'billing_task.opened', payload: task }], new Date(task.opened_at));
    });
  } catch (error) {
    log.warn({ err: error, signing_id: hold.signing_id }, 'the task of a signing could not be opened yet');
  }
};
