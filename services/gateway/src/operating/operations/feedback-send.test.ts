import { FeedbackReceived, notFound } from '@cds/contracts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand } from '../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../test/http.js';
import { testEdge } from '../../test/suite.js';

const ID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';

describe('feedback (docs/domain/requests.md#brand-operations)', () => {
  const edge = testEdge('gateway_feedback');
  let brand: Brand;
  beforeEach(async () => {
    brand = await makeBrand(edge);
  });

  const send = (body: unknown, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
    ask(edge.url, '/api/v1/feedback', { method: 'POST', body, headers, key: brand.live['narrow'] ?? '' });
  const kept = () => edge.shell.store.db.collection('feedback').find({ ws: brand.workspaces.live }).toArray();

  test('any valid key sends it, and the receipt is 201', async () => {
    const answer = await send({ message: ' good ', kind: 'praise', request_id: 'req_12345678' });
    expect(answer.status).toBe(201);
    const { id } = FeedbackReceived.parse(answer.json);
    expect(await kept()).toMatchObject([{ _id: id, message: 'good', kind: 'praise', campaign_id: null, state: 'new' }]);
  });

  test('a key in a message is left out of what the team reads', async () => {
    const key = brand.live['full'] ?? '';
    expect((await send({ message: `My key ${key} gets 403.` })).status).toBe(201);
    expect(await kept()).toMatchObject([{ message: 'My key cds_live_[redacted] gets 403.' }]);
  });

  test('without an Idempotency-Key every message is stored; with one, a repeat is not', async () => {
    await send({ message: 'a' });
    await send({ message: 'a' });
    const headers = { 'idempotency-key': freshKey() };
    const first = await send({ message: 'b' }, headers);
    const second = await send({ message: 'b' }, headers);
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(await kept()).toHaveLength(3);
    expect(errorOf(await send({ message: 'c' }, headers)).code).toBe('idempotency_conflict');
  });

  test('a campaign of another workspace is 404 and stores nothing', async () => {
    edge.answer('campaign_known', () => {
      throw notFound('campaign');
    });
    expect((await send({ message: 'a', campaign_id: ID })).status).toBe(404);
    edge.answer('campaign_known', () => ({ campaign_id: ID }));
    expect((await send({ message: 'a', campaign_id: ID })).status).toBe(201);
    expect(await kept()).toHaveLength(1);
  });

  test('a brand sends 20 a day, by whichever key and workspace; a refused one stores nothing', async () => {
    const first = await send({ message: 'first' }, { 'idempotency-key': 'feedback-first' });
    const byTestKey = () =>
      ask(edge.url, '/api/v1/feedback', { method: 'POST', body: { message: 'b' }, key: brand.sandbox['narrow'] ?? '' });
    for (let sent = 1; sent < 20; sent += 1)
      expect((sent % 2 === 0 ? await send({ message: 'a' }) : await byTestKey()).status).toBe(201);
    const refused = await send({ message: 'c' }, { 'idempotency-key': 'feedback-over' });
    expect([refused.status, (await byTestKey()).status]).toEqual([429, 429]);
    const { details } = errorOf(refused);
    expect(details).toMatchObject({ reason: 'daily_feedback', scope: 'brand', limit: 20 });
    expect(new Date(String(details['resets_at'])).getTime() % 86_400_000).toBe(0);
    expect(await kept()).toHaveLength(10);
    const { db } = edge.shell.store;
    expect(await db.collection('commands').countDocuments({ op: 'feedback_send', status: 429 })).toBe(0);
    expect((await send({ message: 'first' }, { 'idempotency-key': 'feedback-first' })).text).toBe(first.text);
  });

  test.each([
    [{ message: '' }, 'message'],
    [{ message: ' ' }, 'message'],
    [{ message: 'x'.repeat(4_001) }, 'message'],
    [{ message: 'a', kind: 'rant' }, 'kind'],
    [{ message: 'a', campaign_id: 'x' }, 'campaign_id'],
    [{ message: 'a', request_id: 'x y' }, 'request_id'],
    [{}, 'message'],
  ])('%j is 422 on %s', async (body, field) => {
    const answer = await send(body);
    expect([answer.status, errorOf(answer).fields]).toEqual([422, [field]]);
  });

  test('closed writes are 503, and a replay still answers', async () => {
    const headers = { 'idempotency-key': freshKey() };
    await send({ message: 'a' }, headers);
    await edge.setSwitches({ writes_open: false });
    const answer = await send({ message: 'b' });
    await edge.setSwitches({ writes_open: true });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    expect((await send({ message: 'a' }, headers)).status).toBe(201);
  });
});
