import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type OperationDeclaration, operationByName, subjectOf } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { toWire } from '../bus/context.js';
import { decodeReply, encodeRequest } from '../bus/envelope.js';
import { Deadline } from '../deadline/deadline.js';
import { aCtx } from '../testing/context.js';
import { aShell, storeSuite } from '../testing/suite.js';
import { answerRequest } from './dispatch.js';

const key = createSecretKey(randomBytes(32));
const log = pino({ level: 'silent' });

describe('a request at its deadline (docs/reliability.md#deadlines)', () => {
  const shell = storeSuite('request_deadline', aShell);

  const answered = async (run: () => Promise<unknown>, limitMs: number) => {
    const operation = operationByName('campaign_known') as OperationDeclaration;
    const caller = operation.callers?.[0] ?? 'gateway';
    const wire = toWire(aCtx({ limitMs }), caller, 'planning', randomUUID(), limitMs);
    const data = encodeRequest(subjectOf(operation), wire, {}, key);
    const started = performance.now();
    const answer = answerRequest('planning', new Map([[caller, key]]), shell, { operation, run }, data, log);
    const reply = await Promise.race([answer, delay(5_000, null, { ref: false })]);
    return { reply: reply === null ? null : decodeReply(reply), ms: performance.now() - started };
  };

  it('is answered with unavailable, whatever its handler waits for', async () => {
    const { reply, ms } = await answered(() => new Promise(() => undefined), 300);
    expect(reply).toMatchObject({ ok: false, error: { code: 'unavailable', details: { retry_after: 2 } } });
    expect(ms).toBeLessThan(2_000);
  });

  it('no longer reaches the database, however long its handler runs on', async () => {
    let wake: (() => void) | undefined;
    const later = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let outcome: Promise<unknown> | undefined;
    await answered(() => {
      outcome = later.then(() => shell.outbox.rows.findOne({}));
      return outcome;
    }, 200);
    wake?.();
    await expect(outcome).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('passes its deadline to each command', async () => {
    const { reply } = await answered(async () => ({ left: Deadline.current()?.remainingMs() ?? null }), 4_000);
    const { left } = JSON.parse(Buffer.from(reply?.ok === true ? reply.bytes : []).toString()) as {
      left: number | null;
    };
    expect(left).toBeLessThanOrEqual(4_000);
    expect(left).toBeGreaterThan(1_000);
  });
});
