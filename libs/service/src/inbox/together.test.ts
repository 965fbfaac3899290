import { randomUUID } from 'node:crypto';
import type { EventPayload } from '@cds/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { headers } from '@nats-io/transport-node';
import { uuid7 } from '../outbox/uuid7.js';
import { InboxSuite } from '../testing/inbox-suite.js';
import { consumerOf } from './consumer.js';

type Plan = EventPayload<'plan.changed'>;
type Sent = { id: string; payload: Plan };

/** Events that wait for a consumer share a transaction (docs/reliability.md#events; I54). */
describe('events that arrive together', () => {
  /** The aggregates of each call of the consumer, and what it does with one of them. */
  let calls: string[][];
  let refuse: (aggregate: string) => void;
  /** The aggregates of each call of the consumer's follow-up. */
  let followUps: string[][];
  const suite = new InboxSuite('planning', 'catalog', (of) =>
    consumerOf({
      event: 'plan.changed',
      concerns: ({ status }) => status === 'approved',
      applyAll: async (tx, events) => {
        calls.push(events.map(({ payload }) => payload.aggregate));
        for (const { payload } of events) {
          await of.count(tx, payload.aggregate);
          refuse(payload.aggregate);
        }
      },
      applied: (payloads) => void followUps.push(payloads.map(({ aggregate }) => aggregate)),
    }),
  );
  beforeEach(() => {
    [calls, followUps, refuse] = [[], [], () => undefined];
  });

  const anEvent = (over: Partial<Plan> = {}, id: string = randomUUID()): Sent => {
    const aggregate = randomUUID();
    const rest = { campaign_id: aggregate, status: 'approved', terms_fingerprint: 'f', total_cents: 1 } as const;
    const payload = { aggregate, version: 1, workspace: randomUUID(), creator_ids: [], ...rest, ...over };
    return { id, payload: payload as Plan };
  };
  const publish = async ({ id, payload }: Sent, traceparent = ''): Promise<void> => {
    const own = headers();
    if (traceparent !== '') own.set('traceparent', traceparent);
    await suite.js.publish('evt.planning.plan.changed', JSON.stringify(payload), { msgID: id, headers: own });
  };
  /** Starts the process once all these events wait for it. */
  const arrive = async (events: readonly Sent[]): Promise<void> => {
    for (const event of events) await publish(event);
    suite.inbox.start();
    await suite.stream.drained();
  };
  const idsOf = (...events: Sent[]): string[] => events.map(({ payload }) => payload.aggregate);

  it('are applied in their order in one transaction, each once', async () => {
    const events = [anEvent(), anEvent(), anEvent()];
    await arrive(events);
    expect(calls).toEqual([idsOf(...events)]);
    expect(await suite.timesOf(events)).toEqual([1, 1, 1]);
  });

  it('have one follow-up together, before they count as consumed', async () => {
    const events = [anEvent(), anEvent(), anEvent()];
    await arrive(events);
    expect(followUps).toEqual([idsOf(...events)]);
  });

  it('are not applied again beside new ones when they arrive once more', async () => {
    const [one, two, three] = [anEvent(), anEvent(), anEvent()];
    await arrive([one, two]);
    await suite.inbox.stop();
    suite.renew();
    while ((await suite.stream.lastPlace()) < 4) for (const event of [one, two]) await publish(event);
    await arrive([three]);
    expect(await suite.timesOf([one, two, three])).toEqual([1, 1, 1]);
  });

  it('are all applied but the one that fails, which is alone when it is tried again and set aside', async () => {
    const [good, bad, other] = [anEvent(), anEvent(), anEvent()];
    refuse = (aggregate) => {
      if (aggregate === bad.payload.aggregate) throw new Error('no such thing');
    };
    await arrive([good, bad, other]);
    expect(await suite.timesOf([good, bad, other])).toEqual([1, 0, 1]);
    expect(calls.filter((call) => call.length > 1)).toEqual([idsOf(good, bad, other)]);
    const letters = await suite.store.db.collection('dead_letters').find({}).toArray();
    // What it shared a transaction with says nothing about it, so that try is not counted.
    expect(letters).toMatchObject([{ attempts: 4, error: 'Error: no such thing' }]);
    expect(calls.flat().filter((id) => id === bad.payload.aggregate)).toHaveLength(5);
  });

  it('cost no statement when they do not concern the service', async () => {
    const [one, two] = [anEvent({ status: 'awaiting_approval' }), anEvent()];
    await arrive([one, two]);
    expect(calls).toEqual([idsOf(two)]);
    const facts = [one, two].map(({ id }) => `${suite.stream.durable}|${id}`);
    const rows = await suite.store.db.collection<{ _id: string }>('inbox').find({}).toArray();
    expect(rows.filter(({ _id }) => facts.includes(_id)).map(({ _id }) => _id)).toEqual(facts.slice(1));
  });

  it('leave out late events from before a reset of their sandbox', async () => {
    const at = new Date(Date.now() - 60_000);
    const [before, other] = [anEvent({}, uuid7(at)), anEvent({}, uuid7(at))];
    await suite.store.db.collection<{ _id: string }>('sandbox_resets').insertOne({
      _id: before.payload.workspace,
      ...{ number: 1, at: new Date(at.getTime() + 1_000), seed: 2, over: true },
    });
    await arrive([before, other]);
    expect(await suite.timesOf([before, other])).toEqual([0, 1]);
  });

  it('do not share the transaction of one whose trace is recorded', async () => {
    const [one, traced, two] = [anEvent(), anEvent(), anEvent()];
    await publish(one);
    await publish(traced, '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
    await arrive([two]);
    expect(calls).toEqual([idsOf(one, two), idsOf(traced)]);
  });
});
