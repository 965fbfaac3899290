import { randomUUID } from 'node:crypto';
import type { Task } from '@cds/contracts';
import { deliver } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPS_TOKEN } from '../../test/edge-app.js';
import { testEdge } from '../../test/suite.js';
import { Tasks } from '../store/tasks.js';
import { onTaskOpened } from '../task-opened.js';

type OperatorAnswer = {
  status: number;
  body: { tasks: Task[]; next: string | null; secret: string } & Task & {
      error: { code: string; details: { reason?: string } };
    };
};

describe('a task of the operator’s team', () => {
  const edge = testEdge('ops_tasks');
  const secrets: Record<string, string> = {};
  const ids = [1, 2, 3].map((at) => `00000000-0000-8000-8000-00000000000${at}`);
  const CREATOR = randomUUID();

  const ask = async (token: string, method: string, path: string, body?: object): Promise<OperatorAnswer> => {
    const response = await fetch(`${edge.url}/api/ops${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID(), 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as OperatorAnswer['body'] };
  };
  const opened = (at: number, note: string | null = null) => ({
    aggregate: ids[at] ?? '',
    version: 1,
    kind: 'creator_to_review' as const,
    about: { creator_id: CREATOR },
    note,
    opened_at: `2026-11-2${at}T00:00:00.000Z`,
  });
  const tell = async (payload: ReturnType<typeof opened>): Promise<void> => {
    const [consumer] = onTaskOpened(new Tasks(edge.shell.store));
    if (consumer === undefined) throw new Error('no task is followed');
    await deliver(edge.shell.store, consumer, payload, new Date());
  };

  beforeAll(async () => {
    for (const role of ['viewer', 'finance']) {
      const made = await ask(OPS_TOKEN, 'POST', '/tokens', { name: role, role, reason: 'a test' });
      secrets[role] = made.body.secret;
    }
    for (const at of [1, 0, 2]) await tell(opened(at, 'first'));
  });

  it('is listed for every role, the oldest first, page by page', async () => {
    const viewer = secrets['viewer'] ?? '';
    const first = await ask(viewer, 'GET', '/tasks?limit=2');
    expect(first.body.tasks.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.body.tasks[0]).toEqual({
      id: ids[0],
      kind: 'creator_to_review',
      what: 'A sync put an approved creator under review. Look at its checks and decide its status.',
      about: { creator_id: CREATOR },
      note: 'first',
      state: 'open',
      opened_at: '2026-11-20T00:00:00.000Z',
      done_at: null,
      done_by: null,
    });
    const second = await ask(viewer, 'GET', `/tasks?limit=2&cursor=${first.body.next}`);
    expect([second.body.tasks.map(({ id }) => id), second.body.next]).toEqual([[ids[2]], null]);
    expect((await ask(viewer, 'GET', '/tasks?cursor=nowhere')).status).toBe(400);
    expect((await ask(viewer, 'GET', '/tasks?kind=ask_under_team_price')).body.tasks).toEqual([]);
  });

  it('is opened once, however often its event arrives', async () => {
    await tell(opened(0, 'second'));
    const { body } = await ask(OPS_TOKEN, 'GET', '/tasks');
    expect(body.tasks.map(({ note }) => note)).toEqual(['first', 'first', 'first']);
  });

  it('is marked as done once by a role that may write, and audited with the reason', async () => {
    const done = (token: string) => ask(token, 'POST', `/tasks/${ids[1]}/done`, { reason: 'Looked at it.' });
    expect((await done(secrets['viewer'] ?? '')).status).toBe(403);
    expect(await done(secrets['finance'] ?? '')).toMatchObject({
      status: 200,
      body: { state: 'done', done_by: 'finance' },
    });
    expect(await done(OPS_TOKEN)).toMatchObject({ status: 409, body: { error: { details: { reason: 'bad_state' } } } });
    expect((await ask(OPS_TOKEN, 'POST', `/tasks/${randomUUID()}/done`, { reason: 'x' })).status).toBe(404);
    expect(await edge.shell.store.db.collection('audit').findOne({ action: 'task.done' })).toMatchObject({
      object: ids[1],
      reason: 'Looked at it.',
    });
    await tell(opened(1));
    expect((await ask(OPS_TOKEN, 'GET', '/tasks')).body.tasks.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect((await ask(OPS_TOKEN, 'GET', '/tasks?state=done')).body.tasks).toMatchObject([
      { id: ids[1], state: 'done' },
    ]);
  });

  it('is in the same list when billing reports a signing, until somebody marks it as done', async () => {
    const consumer = onTaskOpened(new Tasks(edge.shell.store)).find(({ event }) => event === 'billing_task.opened');
    if (consumer === undefined) throw new Error('the tasks of billing are not followed');
    const order_id = randomUUID();
    const task = {
      aggregate: randomUUID(),
      version: 1,
      kind: 'signing_without_order' as const,
      about: { order_id },
      note: 'Signing 1 of plan 2.',
      opened_at: '2026-11-25T00:00:00.000Z',
    };
    await deliver(edge.shell.store, consumer, task, new Date());
    const { body } = await ask(OPS_TOKEN, 'GET', '/tasks?kind=signing_without_order');
    expect(body.tasks).toMatchObject([{ id: task.aggregate, about: { order_id }, state: 'open' }]);
    await ask(OPS_TOKEN, 'POST', `/tasks/${task.aggregate}/done`, { reason: 'fixed' });
    await deliver(edge.shell.store, consumer, task, new Date());
    expect((await ask(OPS_TOKEN, 'GET', '/tasks?kind=signing_without_order')).body.tasks).toEqual([]);
  });
});
