import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import Stripe from 'stripe';
import { type Answer, broken, busy, textOf } from './stripe/answers.js';
import { type Mood, StripeApi } from './stripe/api.js';
import { IdempotencyKeys } from './stripe/idempotency.js';
import type { FakeEvent } from './stripe/shapes.js';

// A small Stripe for tests and demonstrations, written to the shapes that Stripe documents: Checkout Sessions,
// repayments and signed events, with idempotency keys. It can be slow, lose answers, be away, break and refuse, and its
// events can be held back, repeated and shuffled.

const SLOW_MS = 300;

export class StripeFake extends StripeApi {
  /** What was asked for, as `METHOD /path`. */
  readonly calls: string[] = [];
  /** The one call that the mood is about; null for all. */
  private moodOf: string | null = null;
  private endpoint: string | null = null;
  /** Events that are held back; null while they are delivered as they happen. */
  private waiting: FakeEvent[] | null = null;
  private readonly keys = new IdempotencyKeys();
  /** Writes wait for it while they run. */
  private held: Promise<void> = Promise.resolve();

  private constructor(
    private readonly server: Server,
    readonly webhookSecret: string,
  ) {
    super();
  }

  static async start(port = 0): Promise<StripeFake> {
    const server = createServer();
    const fake = new StripeFake(server, `whsec_${randomUUID().replaceAll('-', '')}`);
    server.on('request', (request, response) => void fake.serve(request, response));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The settings of a billing that takes cards by it. */
  get settings() {
    return {
      CDS_STRIPE_SECRET_KEY: 'rk_test_fake',
      CDS_STRIPE_WEBHOOK_SECRETS: [this.webhookSecret],
      CDS_STRIPE_API_URL: this.url,
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /** From now on answers so, on every call or one (`METHOD /path`). */
  answers(mood: Mood, call: string | null = null): void {
    this.mood = mood;
    this.moodOf = call;
  }

  /** Writes that arrive from now on run until the function that it returns is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.held = promise;
    return resolve;
  }

  /** A day passes: the idempotency keys are forgotten. */
  forgetKeys(): void {
    this.keys.forget();
  }

  /** An event as Stripe delivers it, signed at `at`. */
  delivery(event: FakeEvent, at: Date = new Date()): { raw: string; signature: string } {
    const raw = JSON.stringify(event);
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload: raw,
      secret: this.webhookSecret,
      timestamp: Math.floor(at.getTime() / 1_000),
    });
    return { raw, signature };
  }

  /** From now on delivers every event by itself, as it happens. */
  deliverTo(url: string): void {
    this.endpoint = url;
  }

  /** Holds back events from now on, until the function that it returns is called: it says what to deliver. */
  holdEvents(): (rearranged: (events: readonly FakeEvent[]) => readonly FakeEvent[]) => void {
    this.waiting = [];
    return (rearranged) => {
      const events = rearranged(this.waiting ?? []);
      this.waiting = null;
      for (const event of events) this.deliverByItself(event);
    };
  }

  /** Delivers events to an endpoint, in order, and returns the statuses of its answers. */
  async deliver(url: string, events: readonly FakeEvent[]): Promise<number[]> {
    const statuses: number[] = [];
    for (const event of events) {
      const { raw, signature } = this.delivery(event);
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      statuses.push((await fetch(url, { method: 'POST', headers, body: raw })).status);
    }
    return statuses;
  }

  protected override happened(type: string, object: object): FakeEvent {
    const event = super.happened(type, object);
    if (this.waiting === null) this.deliverByItself(event);
    else this.waiting.push(event);
    return event;
  }

  private deliverByItself(event: FakeEvent): void {
    if (this.endpoint !== null) void this.deliverUntilTaken(this.endpoint, event);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe');
    const call = `${request.method} ${pathname}`;
    this.calls.push(call);
    const mood = this.moodOf === null || this.moodOf === call ? this.mood : 'well';
    if (mood === 'away') return void request.socket.destroy();
    const body = await textOf(request);
    if (pathname.startsWith('/pay/')) return this.servePage(request, response, pathname);
    const key = request.headers['idempotency-key'];
    const run = () => this.run(call, new URLSearchParams(body), searchParams, mood);
    const answer =
      request.method === 'POST' && typeof key === 'string'
        ? await this.keys.once(key, `${call} ${body}`, run)
        : await run();
    if (mood === 'loses answers') return void request.socket.destroy();
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'request-id': `req_${randomUUID()}`,
      ...(answer.isReplayed && { 'idempotent-replayed': 'true' }),
    });
    response.end(JSON.stringify(answer.body));
  }

  private async run(call: string, form: URLSearchParams, query: URLSearchParams, mood: Mood): Promise<Answer> {
    if (call.startsWith('POST')) await this.held;
    if (mood === 'slow') await delay(SLOW_MS);
    if (mood === 'busy') return busy();
    if (mood === 'breaks before') return broken();
    const answer = this.answer(call, form, query);
    return mood === 'breaks after' ? broken() : answer;
  }

  /** Stripe repeats an event until it is taken, for days; this one does for a minute. */
  private async deliverUntilTaken(url: string, event: FakeEvent): Promise<void> {
    for (let tries = 0; tries < 60; tries += 1) {
      const [status = 0] = await this.deliver(url, [event]).catch(() => [0]);
      if (status >= 200 && status < 300) return;
      await delay(1_000);
    }
  }

  /** The payer's page: a button that pays, and the way back. */
  private servePage(request: IncomingMessage, response: ServerResponse, pathname: string): void {
    const session = this.sessions.get(pathname.slice('/pay/'.length));
    if (session === undefined) return void response.writeHead(404).end();
    if (request.method === 'POST' && session.status === 'open') {
      this.pay(session.id);
      return void response.writeHead(303, { location: session.success_url }).end();
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><title>Checkout</title><form method="post"><button>Pay ${session.amount_total} cents</button></form>`,
    );
  }
}
