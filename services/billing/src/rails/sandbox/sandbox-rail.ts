import { randomUUID } from 'node:crypto';
import { conflict } from '@cds/contracts';
import type { Clocks } from '@cds/service';
import type { Order } from '../../domain/order.js';
import type { RailEvent } from '../../domain/payment-event.js';
import { isSigned, signRaw } from '../../domain/signature.js';
import type { Delivery, PaymentRail, RailState, RefundAnswer, RefundWanted, SessionWanted } from '../rail.js';
import {
  eventOfState,
  moveSession,
  paymentOf,
  readSandboxEvent,
  type SandboxEvent,
  type SandboxMove,
  type SandboxSession,
} from './sandbox-session.js';
import type { SandboxSessions } from './sandbox-sessions.js';

export const SANDBOX_RAIL = 'sandbox';

export class SandboxRail implements PaymentRail {
  readonly name = SANDBOX_RAIL;
  readonly mostCents = null;
  readonly leastCents = 1;

  constructor(
    private readonly sessions: SandboxSessions,
    private readonly clocks: Clocks,
    private readonly secret: string,
  ) {}

  async open({
    order,
    session: { rail_key: railKey },
    pageUrl,
  }: SessionWanted): Promise<{ url: string; railId: null }> {
    const session = await this.sessions.open(await this.fresh(order, railKey, 'open'));
    if (session.state !== 'open') throw conflict('bad_state', 'This checkout is closed. Open the payment page again.');
    return { url: `${pageUrl()}/sandbox`, railId: null };
  }

  async close({ order, session: { rail_key: railKey } }: SessionWanted): Promise<RailState> {
    // A session that was never opened is stored as closed; a late open then finds it.
    const session = await this.sessions.open(await this.fresh(order, railKey, 'expired'));
    if (session.state !== 'open') return railStateOf(session);
    const moved = moveSession(session, 'expire', await this.clocks.now(order.ws), '');
    if (moved !== null) await this.sessions.save(session, moved.session);
    return 'closed';
  }

  async look({
    order,
    session: { rail_key: railKey },
  }: SessionWanted): Promise<{ state: RailState; delivery: Delivery | null }> {
    const session = await this.sessions.byKey(order.ws, railKey);
    if (session === null) return { state: 'none', delivery: null };
    const event = eventOfState(session);
    const { network } = await this.clocks.read([]);
    return { state: railStateOf(session), delivery: event === null ? null : this.deliver(event, network) };
  }

  async refund({ order, payment, amountCents, key }: RefundWanted): Promise<RefundAnswer> {
    const railKey = payment.slice(paymentOf('').length);
    const session = await this.sessions.byKey(order.ws, railKey);
    if (session?.state !== 'paid') return { state: 'refused', problem: 'This session is not paid.' };
    const repaid = await this.sessions.repay(order.ws, railKey, { key, amount_cents: amountCents });
    return repaid ? { state: 'done' } : { state: 'refused', problem: 'This is more than is left of the payment.' };
  }

  async returned(): Promise<null> {
    return null;
  }

  async play(session: SandboxSession, move: SandboxMove, at: Date): Promise<Delivery | null> {
    const moved = moveSession(session, move, at, randomUUID());
    if (moved === null) return null;
    await this.sessions.save(session, moved.session);
    const { network } = await this.clocks.read([]);
    return this.deliver(moved.event, network);
  }

  async ownerOf(): Promise<null> {
    return null;
  }

  deliver(event: SandboxEvent, signedAt: Date): Delivery {
    const raw = JSON.stringify(event);
    return { raw, signature: signRaw(this.secret, Buffer.from(raw), signedAt) };
  }

  verify(raw: Uint8Array, signature: string | null, now: Date): boolean {
    return isSigned([this.secret], raw, signature, now);
  }

  read(raw: string): RailEvent | null {
    return readSandboxEvent(raw);
  }

  private async fresh(order: Order, railKey: string, state: 'open' | 'expired'): Promise<SandboxSession> {
    return {
      _id: railKey,
      ws: order.ws,
      order_id: order._id,
      amount_cents: order.total_cents,
      currency: order.currency,
      state,
      moved_at: await this.clocks.now(order.ws),
      settles_at: null,
    };
  }
}

const railStateOf = (session: SandboxSession): RailState =>
  session.state === 'failed' || session.state === 'expired' ? 'closed' : session.state;
