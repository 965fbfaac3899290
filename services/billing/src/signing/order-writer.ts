import { randomUUID } from 'node:crypto';
import { AppError, type Verdict } from '@cds/contracts';
import { type Ctx, inTx, isDuplicate, type MandateChecks, type Outcome, raiseAlarm } from '@cds/service';
import type { Dependencies } from '../dependencies.js';
import type { Hold } from '../domain/authority.js';
import { signedAudit, signedEntry, signedOrder } from '../domain/signed-order.js';
import { signingWithoutOrder } from '../domain/tasks.js';
import { linkPlaces, presentApproved } from '../present/approved.js';
import { presentOrderChanged } from '../present/books.js';
import type { Ledger } from '../store/ledger.js';
import type { Orders } from '../store/orders.js';
import type { Receipts } from '../store/receipts.js';
import { APPROVE_PLAN, underCommand } from './command.js';
import type { PayTokens } from './pay-tokens.js';
import type { ReceiptIssuer } from './receipt-issuer.js';
import { recordedCheck } from './recorded-check.js';
import type { SigningTasks } from './signing-tasks.js';
import type { Decided, Ordered } from './states.js';

export type OrderWriterDependencies = Pick<Dependencies, 'store' | 'commands' | 'outbox' | 'audit' | 'log'> & {
  orders: Orders;
  ledger: Ledger;
  checks: MandateChecks;
  receipts: Receipts;
  issuer: ReceiptIssuer;
  tokens: PayTokens;
  tasks: SigningTasks;
  appUrl: string;
};

/** Writes the order of a signed verdict: step 3 of the saga (docs/reliability.md#signing). */
export class OrderWriter {
  constructor(private readonly deps: OrderWriterDependencies) {}

  /**
   * Writes order, receipt, ledger, event, audit and the recorded answer in one transaction. An order that exists was
   * written by another runner; one that belongs to another signing becomes the operator's task.
   */
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

  /** Reports a signing that cannot become its order to the team, and raises. */
  private async incomplete(ctx: Ctx, hold: Hold): Promise<never> {
    await this.deps.tasks.open(signingWithoutOrder(hold, ctx.networkNow), hold, ctx.deadline);
    throw new AppError('internal', 'The signing could not be completed. Our team has been notified.');
  }
}
