import { randomUUID } from 'node:crypto';
import type { Store } from '@cds/service';
import { Clocks } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Order, railKeyOf, type Session } from '../domain/order.js';
import { StripeFake } from '../test/stripe-fake.js';
import { moveInvoice } from './invoice/invoice.js';
import { InvoiceRail } from './invoice/invoice-rail.js';
import { Invoices } from './invoice/invoices.js';
import type { Delivery, PaymentRail, SessionWanted } from './rail.js';
import { SandboxRail } from './sandbox/sandbox-rail.js';
import { SandboxSessions } from './sandbox/sandbox-sessions.js';
import { StripeRail } from './stripe/stripe-rail.js';

const TOTAL = 10_000;
const BACK = 'https://app.example.com/pay/token';

/** A rail under test, and what its payer and its team do. */
type Played = {
  rail: PaymentRail;
  /** Pays the open session and returns the event that the rail delivers. */
  pay: (wanted: SessionWanted) => Promise<Delivery>;
  /** Promises money that arrives later. */
  promise: (wanted: SessionWanted) => Promise<Delivery>;
  /** The time of the rail's signatures. */
  now: () => Promise<Date>;
  reference: string | null;
  stop?: () => Promise<void>;
};

const orderOf = (over: Partial<Order> = {}): Order =>
  ({
    _id: randomUUID(),
    ws: randomUUID(),
    sandbox: false,
    rail: 'checkout',
    total_cents: TOTAL,
    currency: 'USD',
    campaign: { company: 'Acme' },
    ...over,
  }) as Order;

const RAILS: Record<string, (store: Store) => Promise<Played>> = {
  sandbox: async (store) => {
    const clocks = new Clocks(store);
    const sessions = new SandboxSessions(store);
    const rail = new SandboxRail(sessions, clocks, 'a secret of the sandbox');
    const play = async ({ order, session }: SessionWanted, move: 'pay' | 'delay') => {
      const kept = await sessions.byKey(order.ws, session.rail_key);
      const delivery = kept === null ? null : await rail.play(kept, move, await store.now());
      if (delivery === null) throw new Error('no open session');
      return delivery;
    };
    return {
      rail,
      pay: (wanted) => play(wanted, 'pay'),
      promise: (wanted) => play(wanted, 'delay'),
      now: () => store.now(),
      reference: null,
    };
  },
  invoice: async (store) => {
    const clocks = new Clocks(store);
    const invoices = new Invoices(store);
    const rail = new InvoiceRail(invoices, clocks, 'a secret of the invoices');
    const move = async ({ order, session }: SessionWanted, wanted: Parameters<typeof moveInvoice>[1]) => {
      const kept = await invoices.byKey(order.ws, session.rail_key);
      const moved = kept === null ? null : moveInvoice(kept, wanted, await store.now());
      if (kept === null || moved === null) throw new Error('no open invoice');
      await invoices.save(kept, moved.invoice);
      return rail.deliver(moved.event, await store.now());
    };
    return {
      rail,
      pay: (wanted) => move(wanted, { kind: 'pay', bank_reference: 'T-1' }),
      promise: (wanted) => move(wanted, { kind: 'send', number: 'I-1', due_on: '2026-12-24' }),
      now: () => store.now(),
      reference: 'T-2',
    };
  },
  stripe: async () => {
    const fake = await StripeFake.start();
    const now = async () => new Date();
    const rail = new StripeRail(
      { secretKey: 'rk_test_fake', webhookSecrets: [fake.webhookSecret], apiUrl: fake.url },
      now,
    );
    const idOf = ({ order }: SessionWanted) => fake.sessionOf(order._id)?.id ?? '';
    return {
      rail,
      pay: async (wanted) => fake.delivery(fake.pay(idOf(wanted))),
      promise: async (wanted) => fake.delivery(fake.pay(idOf(wanted), 'delayed')),
      now,
      reference: null,
      stop: () => fake.stop(),
    };
  },
};

/** What every rail does alike (docs/guides/rails.md). A new rail is a line of RAILS. */
describe.each(Object.entries(RAILS))('the rail %s', (name, make) => {
  let drop: () => Promise<void>;
  let played: Played;
  let rail: PaymentRail;
  beforeAll(async () => {
    const made = await testStore(`rail_${name}`);
    drop = made.drop;
    await made.store.migrate();
    played = await make(made.store);
    rail = played.rail;
  });
  afterAll(async () => {
    await played?.stop?.();
    await drop?.();
  });

  const wanted = async (generation = 1, over: Partial<Order> = {}): Promise<SessionWanted> => {
    const order = orderOf({ sandbox: name === 'sandbox', ...over });
    const session: Session = {
      generation,
      rail_key: railKeyOf(order._id, generation),
      state: 'opening',
      url: null,
      opened_at: await played.now(),
    };
    return { order, session, pageUrl: () => BACK };
  };
  const opened = async (): Promise<SessionWanted> => {
    const one = await wanted();
    const { railId } = await rail.open(one);
    return { ...one, session: { ...one.session, state: 'open', rail_id: railId } };
  };
  const paymentOf = async (delivery: Delivery): Promise<string> => rail.read(delivery.raw)?.rail_ref ?? '';
  const verified = async ({ raw, signature }: Delivery): Promise<boolean> =>
    rail.verify(Buffer.from(raw), signature, await played.now());

  it('is named as its callbacks are', () => {
    expect(rail.name).toBe(name);
  });

  it('says what it can take at most, or that there is no end', () => {
    expect(rail.mostCents === null || (Number.isSafeInteger(rail.mostCents) && rail.mostCents > 0)).toBe(true);
  });

  it('opens one session however often it is asked, and finds it again without its answer', async () => {
    const one = await wanted();
    const answers = [await rail.open(one), await rail.open(one), await rail.open(one)];
    expect(new Set(answers.map(({ url }) => url)).size).toBe(1);
    expect(new Set(answers.map(({ railId }) => railId)).size).toBe(1);
    expect((await rail.look(one)).state).toBe('open');
  });

  it('reports a payment by a signed event about this very order, and by a look', async () => {
    const one = await opened();
    const delivery = await played.pay(one);
    expect(await verified(delivery)).toBe(true);
    expect(rail.read(delivery.raw)).toMatchObject({
      kind: 'charge',
      order_id: one.order._id,
      workspace: one.order.ws,
      sandbox: one.order.sandbox,
      amount_cents: TOTAL,
      currency: 'USD',
      rail_key: one.session.rail_key,
    });
    const looked = await rail.look(one);
    expect(looked.state).toBe('paid');
    expect(looked.delivery !== null && (await verified(looked.delivery))).toBe(true);
    expect(rail.read(looked.delivery?.raw ?? '')).toMatchObject({
      kind: 'charge',
      rail_ref: await paymentOf(delivery),
      rail_key: one.session.rail_key,
    });
  });

  it('reports a promise as pending', async () => {
    const one = await opened();
    const delivery = await played.promise(one);
    expect(rail.read(delivery.raw)).toMatchObject({ kind: 'pending', order_id: one.order._id });
    expect((await rail.look(one)).state).toBe('pending');
    expect(await rail.close(one)).toBe('pending');
  });

  it('closes a session for good, and the next generation is another one', async () => {
    const one = await opened();
    expect(await rail.close(one)).toBe('closed');
    expect(await rail.close(one)).toBe('closed');
    await expect(played.pay(one)).rejects.toThrow();
    expect((await rail.look(one)).state).toBe('closed');
    const next: SessionWanted = {
      ...one,
      session: {
        ...one.session,
        generation: 2,
        rail_key: railKeyOf(one.order._id, 2),
        state: 'opening',
        rail_id: null,
      },
    };
    const { railId } = await rail.open(next);
    expect((await rail.look({ ...next, session: { ...next.session, rail_id: railId } })).state).toBe('open');
  });

  it('closes a session whose opening was never answered, so that a late one cannot be paid', async () => {
    const one = await wanted();
    expect(await rail.close(one)).toBe('closed');
    await expect(rail.open(one)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('says that a session is paid when it is asked to close it', async () => {
    const one = await opened();
    await played.pay(one);
    expect(await rail.close(one)).toBe('paid');
  });

  it('believes only its own signature over these bytes, within 300 s', async () => {
    const one = await opened();
    const { raw, signature } = await played.pay(one);
    const now = await played.now();
    const bytes = Buffer.from(raw);
    expect(rail.verify(bytes, signature, now)).toBe(true);
    expect(rail.verify(Buffer.from(raw.replace('10000', '10001')), signature, now)).toBe(false);
    expect(rail.verify(bytes, null, now)).toBe(false);
    expect(rail.verify(bytes, signature.replace(/v1=./, 'v1=x'), now)).toBe(false);
    for (const shift of [-302_000, 302_000])
      expect(rail.verify(bytes, signature, new Date(now.getTime() + shift))).toBe(false);
    expect(rail.read('{')).toBeNull();
    expect(rail.read('{"id":1}')).toBeNull();
  });

  it('repays a part once per key, and never more than was paid', async () => {
    const one = await opened();
    const payment = await paymentOf(await played.pay(one));
    const of = (amountCents: number, key: string) => ({
      order: one.order,
      payment,
      amountCents,
      key,
      reference: played.reference,
    });
    const key = randomUUID();
    for (let time = 0; time < 3; time += 1) expect(await rail.refund(of(4_000, key))).toEqual({ state: 'done' });
    expect(await rail.refund(of(6_000, randomUUID()))).toEqual({ state: 'done' });
    expect(await rail.refund(of(1, randomUUID()))).toMatchObject({ state: 'refused', problem: expect.any(String) });
    expect(await rail.refund(of(4_000, key))).toEqual({ state: 'done' });
  });

  it('repays nothing of a payment that it does not know', async () => {
    const { order } = await wanted();
    const asked = { order, payment: 'unknown', amountCents: 1, key: randomUUID(), reference: played.reference };
    expect(await rail.refund(asked)).toMatchObject({ state: 'refused' });
  });
});
