import { randomUUID } from 'node:crypto';
import { AppError, refused, type Verdict } from '@cds/contracts';
import { type Client, type Ctx, Deadline, inTx, isDuplicate, type Outcome } from '@cds/service';
import type { Kit } from '../dependencies.js';
import type { Hold } from '../domain/authority.js';
import { CURRENCY, UNPAID_MS } from '../domain/constants.js';
import type { Order } from '../domain/order.js';
import type { LedgerEntry } from '../domain/order-state.js';
import { type SigningTask, signingWithoutOrder } from '../domain/tasks.js';
import { linkPlaces, presentApproved } from '../present/approved.js';
import { presentOrderChanged } from '../present/order.js';
import type { Authorities } from '../store/authority.js';
import type { Ledger } from '../store/ledger.js';
import type { Orders } from '../store/orders.js';
import type { PayTokens } from './pay-tokens.js';

const OPERATION = 'approve_plan';

export type SigningParts = {
  kit: Kit;
  authorities: Authorities;
  orders: Orders;
  ledger: Ledger;
  tokens: PayTokens;
  planning: Client<'plan_sign_close'>;
  appUrl: string;
};

/**
 * Ends signings (reliability 3.5): what a verdict or a held refusal leads to, by the runner itself, by a retry of its
 * key, or by the completer. Every statement is keyed by signing or order, so any two of them end in the same place.
 */
export class Signing {
  private readonly afterwards = new Set<Promise<void>>();

  constructor(private readonly parts: SigningParts) {}

  /**
   * Finishes a hold without ever starting a signature: a held refusal is stored; else planning closes the signing or
   * tells its verdict. Raises when planning or the database does not answer; the hold then stays for the next caller.
   */
  async finish(ctx: Ctx, hold: Hold): Promise<void> {
    const key = hold.principal.key;
    if (hold.refusal !== undefined) {
      await this.storeRefusal(ctx, hold, errorOf(hold.refusal));
      await this.parts.authorities.release(hold, key);
      return;
    }
    // Planning is asked also when the order stands: its word costs little, and step 3 finds the order by its id.
    const verdict = await this.parts.planning.plan_sign_close(ctx, {
      signing_id: hold.signing_id,
      workspace: hold.ws,
    });
    await this.settle(ctx, hold, verdict);
    if (verdict.kind === 'signed') await this.parts.authorities.tidy(hold, key);
  }

  /**
   * Does what a verdict says: signed, the order with its answer; refused, the stored refusal; closed, nothing but the
   * release. Answers what this run itself wrote, or null when the answer is in the commands row or nowhere. A signed
   * hold is left for tidying.
   */
  async settle(ctx: Ctx, hold: Hold, verdict: Verdict): Promise<Outcome | null> {
    const key = hold.principal.key;
    switch (verdict.kind) {
      case 'signed': {
        const outcome = await this.writeOrder(ctx, hold, verdict);
        this.parts.kit.failpoints.hit('sign.order_written');
        return outcome;
      }
      case 'refused': {
        if (verdict.refusal === null) throw new Error(`the refused verdict ${hold.signing_id} carries no refusal`);
        const error = refused(verdict.refusal);
        // A plan that is gone is told, never stored: a 404 binds no key (I08).
        const outcome: Outcome =
          error.code === 'not_found'
            ? { ok: false, status: 404, replayed: false, error: error.body() }
            : await this.storeRefusal(ctx, hold, error);
        await this.parts.authorities.release(hold, key);
        return outcome;
      }
      case 'closed':
        await this.parts.authorities.release(hold, key);
        return null;
    }
  }

  /**
   * Stores a refusal under its command while its hold stands; an answer that was first wins, a row of another request
   * too. Either way the hold has nothing left to do.
   */
  async storeRefusal(ctx: Ctx, hold: Hold, error: AppError): Promise<Outcome> {
    return this.parts.kit.commands.refuse(underCommand(ctx, hold), OPERATION, error);
  }

  /** Tidies or releases after the answer, in its own time; what is lost here the completer does. */
  afterAnswer(work: () => Promise<void>): void {
    const tracked: Promise<void> = Deadline.detached(work)
      .catch((error: unknown) => this.parts.kit.log.warn({ err: error }, 'a hold is left to the completer'))
      .finally(() => this.afterwards.delete(tracked));
    this.afterwards.add(tracked);
  }

  /** Waits for what still runs after its answer. */
  async idle(): Promise<void> {
    await Promise.all([...this.afterwards]);
  }

  /**
   * Step 3: order, ledger, fact, audit and the recorded answer, in one transaction. Answers the outcome that it wrote,
   * or null when the order stood before.
   */
  private async writeOrder(ctx: Ctx, hold: Hold, verdict: Verdict): Promise<Outcome | null> {
    const { kit, orders, ledger, tokens, appUrl } = this.parts;
    const { order, quote } = await this.orderOf(ctx, hold, verdict);
    const kept = presentApproved(appUrl, hold, order, quote, '');
    const sealed = { secret: order.pay_token, places: linkPlaces(kept) };
    const at = ctx.networkNow;
    try {
      await inTx(kit.store, ctx.deadline, async (tx) => {
        await kit.commands.record(tx, underCommand(ctx, hold), OPERATION, 200, JSON.stringify(kept), sealed);
        await orders.insert(tx, order);
        await ledger.add(tx, [signedEntry(order)]);
        await kit.outbox.add(tx, [{ name: 'order.changed', payload: presentOrderChanged(order) }], at);
        await kit.audit.add(tx, [signedAudit(order)], at);
      });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      if (await orders.exists(hold.ws, hold.order_id)) return null;
      kit.log.error(
        { err: error, alarm: 'signing_without_order', signing_id: hold.signing_id, order_id: hold.order_id },
        'a signed plan or its command belongs to another order: the hold stays for the operator',
      );
      return this.incomplete(ctx, hold);
    }
    const told = presentApproved(appUrl, hold, order, quote, tokens.open(order.pay_token));
    return { ok: true, status: 200, replayed: false, json: Buffer.from(JSON.stringify(told)) };
  }

  /** Tells the team of a signing that cannot become its order, and raises. */
  private async incomplete(ctx: Ctx, hold: Hold): Promise<never> {
    await this.openTask(signingWithoutOrder(hold, ctx.networkNow), hold, ctx.deadline);
    throw new AppError('internal', 'The signing could not be completed. The team has been told.');
  }

  /**
   * Opens the operator's task of a hold, once however often the hold is met: the mark on the hold and the fact commit
   * together. Whoever meets the hold next makes good what fails here.
   */
  async openTask(task: SigningTask, hold: Hold, deadline: Deadline): Promise<void> {
    const { kit, authorities } = this.parts;
    try {
      await inTx(kit.store, deadline, async (tx) => {
        if (!(await authorities.markTold(tx, hold, task.kind))) return;
        await kit.outbox.add(tx, [{ name: 'billing_task.opened', payload: task }], new Date(task.opened_at));
      });
    } catch (error) {
      kit.log.warn({ err: error, signing_id: hold.signing_id }, 'the task of a signing could not be opened yet');
    }
  }

  private async orderOf(
    ctx: Ctx,
    hold: Hold,
    verdict: Verdict,
  ): Promise<{ order: Order; quote: NonNullable<Verdict['quote']> }> {
    const { campaign, quote } = verdict;
    if (campaign === null || quote === null) throw new Error(`the verdict ${hold.signing_id} lacks its order's facts`);
    if (verdict.order_id !== hold.order_id || verdict.total_cents !== hold.total_cents) {
      this.parts.kit.log.error(
        { alarm: 'verdict_differs', signing_id: hold.signing_id },
        'a verdict names another order or total than its hold',
      );
      return this.incomplete(ctx, hold);
    }
    const order: Order = {
      _id: hold.order_id,
      ws: hold.ws,
      sandbox: hold.principal.sandbox,
      plan_id: hold.plan_id,
      campaign,
      key_id: hold.principal.key,
      mandate_version: hold.mandate_version,
      terms_version: hold.terms_version,
      version: 1,
      rev: 1,
      payment_state: 'unpaid',
      total_cents: hold.total_cents,
      currency: CURRENCY,
      signed_at: hold.approved_at,
      paid_at: null,
      refunded_at: null,
      cancelled_at: null,
      lines: verdict.lines,
      rail: hold.rail,
      pay_token: hold.pay_token,
      pay_token_hash: this.parts.tokens.hashOf(hold.pay_token),
      pay_expires_at: new Date(hold.approved_at.getTime() + UNPAID_MS),
      month: hold.month,
      signing_id: hold.signing_id,
      generation: 0,
      session: null,
    };
    return { order, quote };
  }
}

/** The request's context under the hold's own command, since whoever finishes may be another run or nobody's. */
const underCommand = (ctx: Ctx, hold: Hold): Ctx => ({
  ...ctx,
  command: { id: hold.command_id, fp: hold.command_fp },
});

const errorOf = (body: NonNullable<Hold['refusal']>): AppError => new AppError(body.code, body.message, body.details);

const signedEntry = (order: Order): LedgerEntry => ({
  _id: randomUUID(),
  ws: order.ws,
  order_id: order._id,
  seq: 1,
  kind: 'signed',
  amount_cents: 0,
  rail: order.rail,
  rail_ref: order.signing_id,
  line_id: null,
  cause: 'approved',
  actor: `key:${order.key_id}`,
  at: order.signed_at,
});

const signedAudit = (order: Order) => ({
  ws: order.ws,
  actor: `key:${order.key_id}`,
  action: 'order.signed',
  object: order._id,
  payload: {
    plan_id: order.plan_id,
    total_cents: order.total_cents,
    signing_id: order.signing_id,
    mandate_version: order.mandate_version,
    terms_version: order.terms_version,
    signed_at: order.signed_at.toISOString(),
  },
});
