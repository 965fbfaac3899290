// @night: deliveries have tests in the gateway; this one follows an edit through every service.
import type { Quote, Webhook, WebhookDelivery } from '@cds/contracts';
import { aReceiver, type Received, type Receiver } from '@cds/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook as Verifier } from 'standardwebhooks';
import { ownerSession } from '../../tools/lib/owner-session.js';
import { aCampaign } from '../support/matrix-arguments.js';
import {
  aBrand,
  ask,
  eventually,
  type SeededWorkspace,
  type SharedStack,
  secretOf,
  sharedStack,
} from '../support/stack.js';

/** From an edit of a plan to a verified delivery, through every service (docs/domain/access.md#webhooks). */
describe('webhooks of a running system', () => {
  let stack: SharedStack;
  let sandbox: SeededWorkspace;
  let person: Record<string, string>;
  let receiver: Receiver;
  let made: { webhook: Webhook; secret: string };

  const full = (): string => secretOf(sandbox, 'full');
  type Sent = { type: string; data: { id: string; aggregate: { type: string; id: string }; version: number } };
  const verified = ({ headers, body }: Received): Sent =>
    new Verifier(made.secret).verify(body, headers as Record<string, string>) as Sent;
  /** Waits until the receiver has every event of the feed since the endpoint was made. */
  const allArrived = async (): Promise<Sent[]> => {
    const feed = await eventually(
      () => ask(stack, full(), 'events_list', { limit: 200 }),
      ({ events }: { events: { id: string }[] }) => {
        const sent = new Set(receiver.received.map((one) => verified(one).data.id));
        return events.length > 0 && events.every(({ id }) => sent.has(id));
      },
      20_000,
    );
    const { events } = feed.body as { events: Sent['data'][] };
    const sent = receiver.received.map(verified);
    expect(sent.map(({ data }) => data)).toEqual(expect.arrayContaining(events));
    return sent;
  };

  beforeAll(async () => {
    stack = await sharedStack();
    receiver = await aReceiver();
    const brand = await aBrand(stack);
    sandbox = brand.sandbox;
    person = { origin: stack.appUrl, cookie: await ownerSession(stack, brand.live.name) };
    await ask(stack, null, 'session_workspace_set', { workspace: sandbox.id }, person);
    const answer = await ask(stack, null, 'webhook_make', { url: receiver.url }, person);
    expect(answer.status).toBe(201);
    made = answer.body as typeof made;
    // What happened before the endpoint was made is sent only by a replay.
    await ask(stack, null, 'webhook_replay', { id: made.webhook.id }, person);
  }, 120_000);
  afterAll(() => receiver.stop());

  it('sends each edit of a plan once, signed, in the order of its versions', async () => {
    const clock = (await ask(stack, full(), 'sandbox_clock', {})).body as { now: string };
    const started = await ask(stack, full(), 'create_campaign', aCampaign(clock.now.slice(0, 10)));
    const { plan } = started.body as { plan: Quote };
    const [first, second] = plan.lines;
    for (const line of [first, second])
      expect(
        (await ask(stack, full(), 'plan_remove_creator', { id: plan.plan_id, line_id: line?.id ?? '' })).status,
      ).toBe(200);

    await eventually(
      () => ask(stack, full(), 'events_list', { limit: 200 }),
      ({ events }: { events: Sent['data'][] }) =>
        events.filter(({ aggregate }) => aggregate.id === plan.plan_id).length >= 3,
    );
    const sent = await allArrived();
    const ofPlan = sent.filter(({ data }) => data.aggregate.id === plan.plan_id);
    expect(new Set(ofPlan.map(({ type }) => type))).toEqual(new Set(['plan.changed']));
    const versions = ofPlan.map(({ data }) => data.version);
    expect(versions.length).toBeGreaterThanOrEqual(3);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
  }, 60_000);

  it('shows them as delivered, and sends a test and a replay under the same ids', async () => {
    const { id } = made.webhook;
    const listed = await eventually(
      () => ask(stack, null, 'webhook_deliveries', { id, limit: 200 } as never, person),
      ({ deliveries }: { deliveries: WebhookDelivery[] }) => deliveries.every(({ state }) => state === 'delivered'),
    );
    const { deliveries } = listed.body as { deliveries: WebhookDelivery[] };
    const bodies = new Set(receiver.received.map(({ body }) => body));
    for (const { body } of deliveries) expect(bodies).toContain(body);

    const before = receiver.received.length;
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    await ask(stack, null, 'webhook_replay', { id }, person);
    const replayed = await eventually(
      () => ask(stack, null, 'webhooks_list', {}, person),
      () => receiver.received.length >= before + ids.size,
      20_000,
    );
    expect(replayed.status).toBe(200);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(ids);

    const tested = await ask(stack, null, 'webhook_test', { id }, person);
    const { id: testId } = tested.body as WebhookDelivery;
    await eventually(
      () => ask(stack, null, 'webhooks_list', {}, person),
      () => receiver.received.some(({ headers }) => headers['webhook-id'] === testId),
    );
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toContain(testId);
  }, 60_000);
});
