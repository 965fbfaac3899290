import { setTimeout as delay } from 'node:timers/promises';
import type { StripeFake } from '@cds/billing/testing';
import type { BrandOrder, CampaignStarted, PlanApproved } from '@cds/contracts';
import { aCampaign } from '../support/matrix-arguments.js';
import { aBrand, type Stack, secretOf } from '../support/stack.js';
import { bodyOf, Caller, type Credential } from './caller.js';
import type { History } from './history.js';
import type { Random } from './random.js';

const CAMPAIGNS_A_DAY = 3;
const MOST_REFUNDS = 3;
/** How long a payer who is led nowhere keeps coming back to the page. */
const PAGE_TIMEOUT_MS = 180_000;
const AGAIN_MS = 200;

export type PaidOrder = {
  id: string;
  workspace: string;
  total_cents: number;
  refunded: number[];
};

/** Signs live plans, pays each by card on its page, and has the team repay parts of it. */
export class Payer {
  readonly orders: PaidOrder[] = [];
  private brand: Credential = { workspace: '', secret: '' };
  private started = CAMPAIGNS_A_DAY;
  private readonly caller: Caller;

  constructor(
    private readonly stack: Stack,
    private readonly stripe: StripeFake,
    name: string,
    private readonly random: Random,
    history: History,
    private readonly entered: (workspace: string) => void,
  ) {
    this.caller = new Caller(stack, name, random, history);
  }

  async job(): Promise<void> {
    const approved = await this.signed();
    if (approved === null) return;
    const order = {
      id: approved.order_id,
      workspace: this.brand.workspace,
      total_cents: approved.order.total_cents,
      refunded: [],
    };
    this.orders.push(order);
    await this.pays(order.id, approved.payment.url);
    await this.isRepaid(order);
  }

  private async signed(): Promise<PlanApproved | null> {
    if (this.started >= CAMPAIGNS_A_DAY) await this.entersABrand();
    this.started += 1;
    const today = new Date().toISOString().slice(0, 10);
    const made = bodyOf<CampaignStarted>(await this.caller.send(this.brand, 'create_campaign', aCampaign(today)));
    if (made?.plan === undefined || made.plan === null) return null;
    const { plan_id: id, terms_fingerprint } = made.plan;
    return bodyOf<PlanApproved>(await this.caller.send(this.brand, 'approve_plan', { id, terms_fingerprint }));
  }

  /** By card; or by a method that settles later, or fails, so that the payer tries again. */
  private async pays(orderId: string, url: string): Promise<void> {
    for (;;) {
      const session = await this.opens(orderId, url);
      const choice = this.random.next();
      this.stripe.pay(session, choice < 0.5 ? 'card' : 'delayed');
      if (choice >= 0.5) await delay(this.random.between(0, 1_000));
      if (choice >= 0.75) this.stripe.fail(session);
      else if (choice >= 0.5) this.stripe.settle(session);
      const paid = choice < 0.75;
      await this.until(orderId, `is ${paid ? 'paid' : 'to be paid again'}`, ({ payment_state: state }) =>
        paid ? state === 'paid' : state === 'unpaid',
      );
      if (paid) return;
    }
  }

  /** Presses Pay by card until it leads to a session that Stripe holds open. */
  private async opens(orderId: string, url: string): Promise<string> {
    for (const end = performance.now() + PAGE_TIMEOUT_MS; performance.now() < end; await delay(AGAIN_MS)) {
      const led = await this.presses(url).catch(() => null);
      const session = this.stripe
        .sessionsOf(orderId)
        .find(({ url: page, status }) => status === 'open' && page === led);
      if (session !== undefined) return session.id;
    }
    throw new Error(`the page of order ${orderId} leads to no session`);
  }

  private async presses(url: string): Promise<string | null> {
    const page = await (await fetch(url)).text();
    const answer = await fetch(`${url}/checkout`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: new URL(url).origin },
      body: new URLSearchParams({ form_token: /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '' }),
    });
    return answer.headers.get('location');
  }

  /** The team repays parts until chance ends it; one that is more than what is left is refused. */
  private async isRepaid(order: PaidOrder): Promise<void> {
    const team = { workspace: order.workspace, secret: this.stack.opsToken };
    for (let left = Math.floor(this.random.between(0, MOST_REFUNDS + 1)); left > 0; left -= 1) {
      const amount_cents = Math.floor(this.random.between(1, order.total_cents / 2));
      const write = await this.caller.send(team, 'ops_order_refund', {
        id: order.id,
        amount_cents,
        reason: 'a fault run',
      });
      if (bodyOf(write) !== null) order.refunded.push(amount_cents);
    }
  }

  private async until(orderId: string, what: string, isSo: (order: BrandOrder) => boolean): Promise<void> {
    for (const end = performance.now() + PAGE_TIMEOUT_MS; performance.now() < end; await delay(AGAIN_MS))
      if (isSo(await this.caller.read<BrandOrder>(this.brand.secret, 'order_get', { id: orderId }))) return;
    throw new Error(`not within ${PAGE_TIMEOUT_MS / 1_000} s: order ${orderId} ${what}`);
  }

  private async entersABrand(): Promise<void> {
    for (;;) {
      try {
        const { live } = await aBrand(this.stack);
        this.entered(live.id);
        this.brand = { workspace: live.id, secret: secretOf(live, 'full') };
        this.started = 0;
        return;
      } catch {
        await delay(AGAIN_MS);
      }
    }
  }
}
