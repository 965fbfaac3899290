import { randomUUID } from 'node:crypto';
import type { Input } from '@cds/contracts';
import { commandId, requestFingerprint, runWrite } from '@cds/service';
import { aCtx } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { anOrder } from '../test/builders.js';
import { testPosts } from '../test/suite.js';
import { sandboxLinePost } from './sandbox-line-post.js';

/** docs/domain/sandbox.md#sandbox. */
describe('sandbox_line_post', () => {
  const world = testPosts();

  const booked = async () => {
    const order = await world.booked();
    return { order, ws: order.workspace, lineId: order.lines[0]?.line_id ?? '' };
  };
  const ask = async (
    ws: string,
    id: string,
    body: Omit<Input<'sandbox_line_post'>, 'id'>,
    { now = '2026-12-01T08:00:00.000Z', key = randomUUID() as string } = {},
  ) => {
    const input = { id, ...body };
    const command = { id: commandId(ws, key), fp: requestFingerprint('sandbox_line_post', input) };
    const ctx = aCtx({ workspace: ws, sandbox: true, now, command });
    const outcome = await runWrite(world.shell, ctx, 'sandbox_line_post', 200, async () => {
      const decided = await sandboxLinePost(ctx, input, world.deps);
      if (!('parts' in decided)) throw new Error('a write answers a change');
      return decided;
    });
    return outcome.ok ? { ok: true, value: JSON.parse(outcome.json.toString()) as unknown } : outcome;
  };
  const refused = { ok: false, error: { code: 'conflict', details: { reason: 'bad_state' } } };

  it('posts at once, disclosed, with its first reading due', async () => {
    const { ws, lineId } = await booked();
    expect(await ask(ws, lineId, { when: 'now', disclosure: 'now' })).toMatchObject({
      value: {
        id: lineId,
        status: 'live',
        published_at: '2026-12-01T08:00:00.000Z',
        proof_url: expect.stringMatching(/^https:\/\/x\.com\/demo_ada\/status\/\d+$/),
        disclosure: 'Paid partnership label',
        pending: [
          { kind: 'post_look', due_at: '2026-12-01T09:00:00.000Z' },
          { kind: 'reading', due_at: '2026-12-01T09:00:00.000Z' },
        ],
      },
    });
    expect(await world.emitted(lineId)).toMatchObject([{ version: 1, status: 'live' }]);
  });

  it('plans a post on time, late or never', async () => {
    const { ws, lineId } = await booked();
    const { value: onTime } = (await ask(ws, lineId, { when: 'on_time', disclosure: 'now' })) as { value: unknown };
    expect(onTime).toMatchObject({
      status: 'booked',
      proof_url: null,
      pending: [{ kind: 'post' }, { kind: 'post_missing' }],
    });
    expect(JSON.stringify(onTime)).toContain('"due_at":"2026-12-01T');
    await ask(ws, lineId, { when: 'late', disclosure: 'now' });
    expect(await ask(ws, lineId, { when: 'never', disclosure: 'now' })).toMatchObject({
      value: { pending: [{ kind: 'post_missing', due_at: '2026-12-05T00:00:00.000Z' }] },
    });
    await world.jump(ws, '2026-12-20T00:00:00Z');
    expect(await world.emitted(lineId)).toMatchObject([
      { status: 'blocked', blocked_reason: 'post_missing', next: { kind: 'remedy', at: '2026-12-07T00:00:00.000Z' } },
      { status: 'blocked', remedy: { kind: 'replace', cause: 'post_missing' }, next: null },
    ]);
    expect(await ask(ws, lineId, { when: 'now', disclosure: 'now' })).toMatchObject(refused);
  });

  it('refuses an unbooked line and one whose post is live', async () => {
    const order = anOrder();
    await world.deliver(world.consumers.order, order);
    expect(await ask(order.workspace, order.lines[0]?.line_id ?? '', { when: 'now', disclosure: 'now' })).toMatchObject(
      refused,
    );
    const { ws, lineId } = await booked();
    await ask(ws, lineId, { when: 'now', disclosure: 'now' });
    expect(await ask(ws, lineId, { when: 'now', disclosure: 'now' })).toMatchObject(refused);
  });

  it('answers not_found for another workspace’s line, a live line and an unknown id', async () => {
    const { lineId } = await booked();
    const live = await world.booked({ sandbox: false });
    const body = { when: 'now', disclosure: 'now' } as const;
    const gone = { code: 'not_found' };
    await expect(ask(randomUUID(), lineId, body)).rejects.toMatchObject(gone);
    await expect(ask(live.workspace, live.lines[0]?.line_id ?? '', body)).rejects.toMatchObject(gone);
    await expect(ask(randomUUID(), randomUUID(), body)).rejects.toMatchObject(gone);
  });
});
