import { randomUUID } from 'node:crypto';
import type { EventPayload } from '@cds/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { InboxSuite } from '../testing/inbox-suite.js';
import { consumerOf } from './consumer.js';

type Sent = { id: string; payload: EventPayload<'mandate.changed'> };

/**
 * An event is identified by its producer's id, never by its place in a stream: a stream forgets ids after its window,
 * and one that was created again counts from 1 (docs/reliability.md#events; I54).
 */
describe('an event that arrives more than once', () => {
  const suite = new InboxSuite('gateway', 'billing', (of) =>
    consumerOf({ event: 'mandate.changed', apply: (tx, { aggregate }) => of.count(tx, aggregate) }),
  );
  beforeEach(() => suite.inbox.start());

  const anEvent = (): Sent => {
    const aggregate = randomUUID();
    return { id: randomUUID(), payload: { aggregate, version: 1, workspace: aggregate, key_id: aggregate } };
  };
  const publish = ({ id, payload }: Sent) =>
    suite.js.publish('evt.gateway.mandate.changed', JSON.stringify(payload), { msgID: id });
  /** Publishes an event again once the server has forgotten its id, and returns its place in the suite.stream. */
  const publishAgain = async (sent: Sent): Promise<number> => {
    for (;;) {
      const ack = await publish(sent);
      if (!ack.duplicate) return ack.seq;
    }
  };

  /** Stops the process, deletes and creates its stream again, and starts the process. */
  const loseStream = async (): Promise<void> => {
    await suite.inbox.stop();
    await suite.stream.drop();
    await suite.stream.make();
    suite.renew();
    suite.inbox.start();
  };

  it('is applied once, even if the server has forgotten it', async () => {
    const event = anEvent();
    const first = (await publish(event)).seq;
    await suite.stream.drained();
    expect(await publishAgain(event)).toBeGreaterThan(first);
    expect(await publishAgain(event)).toBeGreaterThan(first + 1);
    await suite.stream.drained();
    expect(await suite.timesOf([event])).toEqual([1]);
  });

  it('is applied once when both copies wait for the consumer', async () => {
    await suite.inbox.stop();
    const event = anEvent();
    await publish(event);
    await publishAgain(event);
    suite.renew();
    suite.inbox.start();
    await suite.stream.drained();
    expect(await suite.timesOf([event])).toEqual([1]);
  });

  it('is applied once, wherever it is in a stream that was created again', async () => {
    const [one, two] = [anEvent(), anEvent()];
    await publish(one);
    await publish(two);
    await suite.stream.drained();
    await loseStream();
    expect((await publish(two)).seq).toBe(1);
    expect((await publish(one)).seq).toBe(2);
    await suite.stream.drained();
    expect(await suite.timesOf([one, two])).toEqual([1, 1]);
  });

  it('does not hide another one at the same place of a stream that was created again', async () => {
    const before = [anEvent(), anEvent(), anEvent()];
    for (const event of before) await publish(event);
    await suite.stream.drained();
    await loseStream();
    const after = [anEvent(), anEvent(), anEvent()];
    const places: number[] = [];
    for (const event of after) places.push((await publish(event)).seq);
    expect(places).toEqual([1, 2, 3]);
    await suite.stream.drained();
    expect(await suite.timesOf([...before, ...after])).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('does not hide another event of the same aggregate and version', async () => {
    const event = anEvent();
    await publish(event);
    await publish({ ...event, id: randomUUID() });
    await suite.stream.drained();
    expect(await suite.timesOf([event])).toEqual([2]);
  });
});
