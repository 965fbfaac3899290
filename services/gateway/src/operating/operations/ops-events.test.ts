import { randomUUID } from 'node:crypto';
import { AppError, type DeadLetter } from '@cds/contracts';
import { DeadLetters } from '@cds/service';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPS_TOKEN } from '../../test/edge-app.js';
import { testEdge } from '../../test/suite.js';

type Answer = {
  status: number;
  body: Record<string, unknown> & {
    dead_letters: DeadLetter[];
    total: number;
    runs: { service: string; sent: number }[];
    unavailable: string[];
    next: string | null;
  };
};

const SERVICES = ['catalog', 'planning', 'billing', 'proposals', 'metrics'] as const;

/**
 * What a lead can do about events that were set aside or lost (docs/domain/operators.md#operators,
 * docs/reliability.md#events).
 */
describe('the operators’ operations on events', () => {
  const edge = testEdge('ops_events');
  const own = randomUUID();
  const ids = [own, randomUUID(), randomUUID()];
  const asked: string[] = [];

  const ask = async (method: string, path: string, body?: object, key: string = randomUUID()): Promise<Answer> => {
    const response = await fetch(`${edge.url}/api/ops${path}`, {
      method,
      headers: {
        authorization: `Bearer ${OPS_TOKEN}`,
        ...(method === 'GET' ? {} : { 'idempotency-key': key, 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const aLetter = (id: string, day: number, over: Partial<DeadLetter> = {}): DeadLetter => ({
    id,
    service: 'billing',
    producer: 'gateway',
    subject: 'evt.gateway.mandate.changed',
    aggregate: id,
    reason: 'failed',
    error: 'Error: no such thing',
    attempts: 6,
    state: 'parked',
    parked_at: `2026-11-2${day}T00:00:00.000Z`,
    tried_at: `2026-11-2${day}T00:00:00.000Z`,
    applied_at: null,
    ...over,
  });
  const aRun = (service: string, run: string) => ({
    service,
    run,
    cause: 'operator',
    asked_at: '2026-11-21T00:00:00.000Z',
    event: null,
    sent: 3,
    done_at: '2026-11-21T00:00:01.000Z',
  });

  beforeAll(async () => {
    await new DeadLetters(edge.shell.store).park(
      {
        fact: own,
        producer: 'catalog',
        subject: 'evt.catalog.catalog_task.opened',
        text: JSON.stringify({ aggregate: own }),
        reason: 'failed',
        error: 'Error: own',
        attempts: 6,
      },
      new Date('2026-11-22T00:00:00.000Z'),
    );
    for (const service of SERVICES) {
      edge.answer(`${service}_dead_letters`, () => ({ letters: [], total: 0 }));
      edge.answer(`${service}_dead_letter_retry`, () => ({ letter: null }));
      edge.answer(`${service}_dead_letter_close`, () => ({ letter: null }));
      edge.answer(`${service}_republish`, (_ctx, { run }) => {
        asked.push(`${service} ${String(run)}`);
        return aRun(service, String(run));
      });
      edge.answer(`${service}_republish_progress`, () => ({ run: aRun(service, 'before') }));
    }
    edge.answer('billing_dead_letters', () => ({
      letters: [aLetter(ids[1] ?? '', 1), aLetter(ids[2] ?? '', 3)],
      total: 7,
    }));
  });

  it('lists what all services set aside, the oldest first, page by page', async () => {
    const first = await ask('GET', '/dead-letters?limit=2');
    expect(first.body.dead_letters.map(({ service, parked_at }) => [service, parked_at])).toEqual([
      ['billing', '2026-11-21T00:00:00.000Z'],
      ['gateway', '2026-11-22T00:00:00.000Z'],
    ]);
    expect(first.body.total).toBe(8);
    expect(first.body.dead_letters[1]).toMatchObject({ aggregate: own, error: 'Error: own', attempts: 6 });
    expect(first.body.next).toBe(`${Date.parse('2026-11-22T00:00:00.000Z')}.${first.body.dead_letters[1]?.id}`);
    await ask('GET', `/dead-letters?cursor=${first.body.next}`);
    expect(edge.sent.filter(({ name }) => name === 'billing_dead_letters').at(-1)?.input).toEqual({
      state: 'parked',
      after: { parked_at: '2026-11-22T00:00:00.000Z', id: first.body.dead_letters[1]?.id },
      limit: 51,
    });
    expect((await ask('GET', '/dead-letters?service=gateway')).body.dead_letters).toHaveLength(1);
    expect((await ask('GET', '/dead-letters?cursor=nowhere')).status).toBe(400);
    expect((await ask('GET', '/dead-letters?service=bus-admin')).status).toBe(400);
  });

  const unavailable = () => {
    throw new AppError('unavailable', 'm', { retry_after: 1 });
  };

  it('lists what the others set aside while a service is unavailable, and names that service', async () => {
    edge.answer('metrics_dead_letters', unavailable);
    const { status, body } = await ask('GET', '/dead-letters');
    expect([status, body.unavailable]).toEqual([200, ['metrics']]);
    expect(body.dead_letters.map(({ service }) => service)).toEqual(['billing', 'gateway', 'billing']);

    edge.answer('metrics_dead_letters', () => ({ letters: [], total: 0 }));
    expect((await ask('GET', '/dead-letters')).body.unavailable).toEqual([]);
  });

  it('fails when a service fails otherwise', async () => {
    edge.answer('metrics_dead_letters', () => {
      throw new AppError('internal', 'm');
    });
    expect((await ask('GET', '/dead-letters')).status).toBe(500);
    edge.answer('metrics_dead_letters', () => ({ letters: [], total: 0 }));
  });

  it('retries an event while another service is unavailable', async () => {
    const id = ids[2] ?? '';
    edge.answer('metrics_dead_letter_retry', unavailable);
    edge.answer('billing_dead_letter_retry', () => ({ letter: aLetter(id, 1, { state: 'applied' }) }));
    expect(await ask('POST', `/dead-letters/${id}/retry`, { reason: 'x' })).toMatchObject({
      status: 200,
      body: { id, state: 'applied' },
    });

    edge.answer('billing_dead_letter_retry', () => ({ letter: null }));
    const key = randomUUID();
    const unknown = await ask('POST', `/dead-letters/${id}/retry`, { reason: 'x' }, key);
    expect(unknown).toMatchObject({
      status: 503,
      body: { error: { code: 'unavailable', details: { unavailable: ['metrics'] } } },
    });

    edge.answer('metrics_dead_letter_retry', () => ({ letter: null }));
    expect((await ask('POST', `/dead-letters/${id}/retry`, { reason: 'x' }, key)).status).toBe(404);
  });

  it('asks the service that set an event aside to try it again, and audits who asked and why', async () => {
    const id = ids[1] ?? '';
    edge.answer('billing_dead_letter_retry', (_ctx, input) => ({
      letter: input['id'] === id ? aLetter(id, 1, { state: 'applied', applied_at: '2026-11-23T00:00:00.000Z' }) : null,
    }));
    expect(await ask('POST', `/dead-letters/${id}/retry`, { reason: 'The bug is fixed.' })).toMatchObject({
      status: 200,
      body: { id, service: 'billing', state: 'applied' },
    });
    expect(
      await edge.shell.store.db.collection('audit').findOne({ action: 'dead_letter.retry', object: id }),
    ).toMatchObject({ reason: 'The bug is fixed.' });
    expect((await ask('POST', `/dead-letters/${randomUUID()}/retry`, { reason: 'x' })).status).toBe(404);
  });

  it('has the service that set an event aside close it, and audits who asked and why', async () => {
    const { dead_letters } = (await ask('GET', '/dead-letters?service=gateway')).body;
    const { id = '' } = dead_letters[0] ?? {};
    const closed = await ask('POST', `/dead-letters/${id}/close`, { reason: 'Nobody can read it.' });
    expect(closed).toMatchObject({ status: 200, body: { id, service: 'gateway', state: 'closed' } });
    const entry = await edge.shell.store.db.collection('audit').findOne({ action: 'dead_letter.close', object: id });
    expect(entry).toMatchObject({ reason: 'Nobody can read it.' });
    const listed = async (state: string) =>
      (await ask('GET', `/dead-letters?service=gateway&state=${state}`)).body.dead_letters.map((one) => one.id);
    expect([await listed('parked'), await listed('closed')]).toEqual([[], [id]]);
    expect((await ask('POST', `/dead-letters/${randomUUID()}/close`, { reason: 'x' })).status).toBe(404);
  });

  it('asks every service, or the named one, to publish again once per request', async () => {
    const key = randomUUID();
    const all = await ask('POST', '/republish', {}, key);
    expect(all.status).toBe(202);
    expect((all.body['runs'] as { service: string }[]).map(({ service }) => service)).toEqual(['gateway', ...SERVICES]);
    expect(new Set(asked.map((one) => one.split(' ')[1])).size).toBe(1);
    expect(asked).toHaveLength(SERVICES.length);
    expect(await ask('POST', '/republish', {}, key)).toEqual(all);
    expect(asked).toHaveLength(SERVICES.length);

    const one = await ask('POST', '/republish', { service: 'billing', reason: 'A stream was lost.' });
    expect((one.body['runs'] as { service: string }[]).map(({ service }) => service)).toEqual(['billing']);
    expect(
      await edge.shell.store.db
        .collection('audit')
        .findOne({ action: 'events.republish', reason: 'A stream was lost.' }),
    ).toMatchObject({ actor: 'operator:configured' });
  });

  it('starts what it can while a service is unavailable, and names that service', async () => {
    edge.answer('metrics_republish', unavailable);
    const { status, body } = await ask('POST', '/republish', {});
    expect([status, body.unavailable]).toEqual([202, ['metrics']]);
    expect((body['runs'] as { service: string }[]).map(({ service }) => service)).toEqual(
      ['gateway', ...SERVICES].filter((service) => service !== 'metrics'),
    );
  });

  it('can be retried with the same key when no service answered', async () => {
    const key = randomUUID();
    expect((await ask('POST', '/republish', { service: 'metrics' }, key)).status).toBe(503);
    edge.answer('metrics_republish', (_ctx, { run }) => aRun('metrics', String(run)));
    expect(await ask('POST', '/republish', { service: 'metrics' }, key)).toMatchObject({
      status: 202,
      body: { runs: [{ service: 'metrics' }], unavailable: [] },
    });
  });

  it('shows the progress of every service', async () => {
    const { runs } = (await ask('GET', '/republish')).body;
    expect(runs.map(({ service }) => service)).toEqual(['gateway', ...SERVICES]);
  });
});
