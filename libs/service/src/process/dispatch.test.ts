// @isolated: counters are made once per process.
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { type OperationDeclaration, operationByName, operations, type ServiceName, subjectOf } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { type Ctx, toWire } from '../bus/context.js';
import { decodeReply, encodeRequest, parseBytes, type Reply } from '../bus/envelope.js';
import { change } from '../commands/change.js';
import { Deadline, MACHINE_TIME } from '../deadline/deadline.js';
import { loggedIds } from '../telemetry/logged-request.js';
import { startTelemetry } from '../telemetry/telemetry.js';
import { aCtx } from '../testing/context.js';
import { aShell, storeSuite } from '../testing/suite.js';
import { answerRequest } from './dispatch.js';

/**
 * One frame delivered twice, for every write on the bus, through the same dispatch as in a service and with a handler
 * that leaves a row on every run (ADR 0008).
 */
const log = pino({ level: 'silent' });
const key = createSecretKey(randomBytes(32));
const overTheBus = operations.filter(({ effect, service }) => effect === 'write' && service !== 'gateway');
const callerOf = (operation: OperationDeclaration): ServiceName =>
  operation.rest === undefined ? (operation.callers?.[0] as ServiceName) : 'gateway';

describe('a frame that is delivered again', () => {
  const shell = storeSuite('dispatch', (store) => ({
    ...aShell(store),
    effects: store.collection<{ _id: string; by: string }>({ name: 'effects' }),
  }));

  const frameOf = (operation: OperationDeclaration, ctx: Ctx, frameId = randomUUID()): Uint8Array => {
    const wire = toWire(ctx, callerOf(operation), operation.service, frameId, 20_000);
    return encodeRequest(subjectOf(operation), wire, { id: 'x' }, key);
  };

  /** Delivers a frame to a handler that commits its row in the shell's transaction or, as some do, by itself. */
  const deliver = async (
    operation: OperationDeclaration,
    data: Uint8Array,
    by: string,
    commits: 'shell' | 'handler',
  ): Promise<Reply> => {
    const run = async () => {
      const row = { _id: randomUUID(), by };
      if (commits === 'shell')
        return change(
          { made: row._id },
          { save: async (tx) => void (await shell.effects.insertOne(row, tx.options())) },
        );
      await shell.effects.insertOne(row);
      return { made: row._id };
    };
    const from = new Map([[callerOf(operation), key]]);
    return decodeReply(await answerRequest(operation.service, from, shell, { operation, run }, data, log));
  };

  const byRecord = overTheBus.filter(({ idempotency, ownRecord }) => idempotency !== undefined && ownRecord !== true);
  it.each(byRecord.map((operation) => [operation.name, operation] as const))(
    'finds the record of %s, though it came without a key',
    async (name, operation) => {
      const data = frameOf(operation, aCtx());
      const first = await deliver(operation, data, name, 'shell');
      const again = await deliver(operation, data, name, 'shell');
      expect(first).toMatchObject({ ok: true, replayed: false });
      expect(again).toMatchObject({ ok: true, replayed: true });
      expect(again.ok && parseBytes(again.bytes)).toEqual(first.ok && parseBytes(first.bytes));
      expect(await shell.effects.countDocuments({ by: name })).toBe(1);
    },
  );

  const byFrame = overTheBus.filter(({ idempotency, byOwnId }) => idempotency === undefined && byOwnId !== true);
  it.each(byFrame.map((operation) => [operation.name, operation] as const))(
    'of %s is refused, however its handler commits',
    async (name, operation) => {
      for (const commits of ['shell', 'handler'] as const) {
        const data = frameOf(operation, aCtx());
        const replies = await Promise.all([1, 2, 3].map(() => deliver(operation, data, `${name} ${commits}`, commits)));
        expect(replies.filter((reply) => reply.ok)).toHaveLength(1);
        for (const reply of replies) if (!reply.ok) expect(reply.error.code).toBe('forbidden');
        expect(await shell.effects.countDocuments({ by: `${name} ${commits}` })).toBe(1);
      }
    },
  );

  it('is recognised by its own id only where the operation says so, or by its hold', () => {
    const others = overTheBus.filter((operation) => !byRecord.includes(operation) && !byFrame.includes(operation));
    expect(others.map(({ name }) => name).sort()).toEqual([
      'approve_plan',
      'creator_link_opened',
      'ops_proposal_link',
      'plan_sign',
      'plan_sign_close',
      'rail_event',
    ]);
  });

  it('is another frame when the same request is sent again', async () => {
    const operation = operationByName('context_set') as OperationDeclaration;
    const ctx = aCtx();
    for (let sent = 0; sent < 2; sent += 1) await deliver(operation, frameOf(operation, ctx), 'again', 'handler');
    expect(await shell.effects.countDocuments({ by: 'again' })).toBe(2);
  });

  it('runs nothing after its deadline, and stores nothing', async () => {
    for (const operation of overTheBus) {
      const late = { ...aCtx(), deadline: Deadline.in(0) };
      // Its absolute deadline has passed; the remaining time that a relayed frame states does not revive it.
      const wire = toWire(late, callerOf(operation), operation.service, randomUUID(), 0);
      const passed = { ...wire, deadline: Date.now() - 300, remaining_ms: 20_000 };
      const data = encodeRequest(subjectOf(operation), passed, {}, key);
      expect(await deliver(operation, data, 'late', 'handler')).toMatchObject({ ok: false });
    }
    expect(await shell.effects.countDocuments({ by: 'late' })).toBe(0);
  });
});

describe('a request that fails by a bug', () => {
  it('is logged with its request and its trace', async () => {
    const lines: Record<string, unknown>[] = [];
    const heard = pino({ mixin: loggedIds }, { write: (line: string) => lines.push(JSON.parse(line)) });
    const operation = overTheBus.find(({ name }) => name === 'rename_campaign') as OperationDeclaration;
    const ctx = { ...aCtx(), traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00' };
    const wire = toWire(ctx, 'gateway', operation.service, randomUUID(), 20_000);
    const frame = encodeRequest(subjectOf(operation), wire, { id: 'x' }, key);
    const telemetry = await startTelemetry(operation.service, { endpoint: '', sample: 0, auto: false });
    try {
      const run = () => Promise.reject(new Error('a bug'));
      const shell = { store: { time: MACHINE_TIME }, commands: { stored: run } } as never;
      await answerRequest(operation.service, new Map([['gateway', key]]), shell, { operation, run }, frame, heard);
    } finally {
      await telemetry.stop();
    }
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'an operation failed',
        operation: 'rename_campaign',
        request_id: ctx.requestId,
        trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      }),
    ]);
  });
});
