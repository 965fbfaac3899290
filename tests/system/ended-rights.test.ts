// @night: the same ends have tests in billing, planning and the gateway; these race through a running system.
import { setTimeout as delay } from 'node:timers/promises';
import type { Quote } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Collection, MongoClient } from 'mongodb';
import { startPlan } from '../support/main-job.js';
import {
  type Answer,
  aBrand,
  anIdempotencyKey,
  ask,
  keptStack,
  retried,
  type SeededWorkspace,
  type Stack,
  secretOf,
} from '../support/stack.js';

type Row = { _id: string; [field: string]: unknown };

type Place = { sandbox: SeededWorkspace; quote: Quote };

/**
 * Rights that end while an approval is in progress, in the whole system (docs/reliability.md#ended-rights; I74): what
 * was not signed when the end is answered is never signed.
 */
describe('an approval in progress when its right ends', () => {
  let stack: Stack;
  let mongo: MongoClient;
  const rows = (service: string, name: string): Collection<Row> =>
    mongo.db(`${stack.prefix}cds_${service}`).collection<Row>(name);

  beforeAll(async () => {
    stack = await keptStack('faults');
    mongo = await new MongoClient(stack.mongodbUri).connect();
  }, 180_000);
  afterAll(() => mongo?.close());

  const thaw = (): void => {
    for (const one of stack.services['planning'] ?? []) one.resume();
  };

  const aPlace = async (): Promise<Place> => {
    const { sandbox } = await aBrand(stack);
    return { sandbox, quote: (await startPlan(stack, secretOf(sandbox, 'full'))).plan };
  };

  const byOperator = (operation: 'ops_key_revoke' | 'ops_brand_suspend', id: unknown): Promise<Answer> =>
    ask(
      stack,
      null,
      operation,
      { id: String(id), reason: 'a test' },
      { authorization: `Bearer ${stack.opsToken}`, 'idempotency-key': anIdempotencyKey() },
    );

  /** How each right ends, and what its user is answered from then on. */
  const ENDS = {
    'somebody reports the key': {
      end: ({ sandbox }: Place) => ask(stack, null, 'key_report', { key: secretOf(sandbox, 'full') }),
      answers: 401,
    },
    'an operator revokes the key': {
      end: ({ sandbox }: Place) => byOperator('ops_key_revoke', sandbox.keys.find(({ name }) => name === 'full')?.id),
      answers: 401,
    },
    'an operator suspends the brand': {
      end: async ({ sandbox }: Place) =>
        byOperator(
          'ops_brand_suspend',
          (await rows('gateway', 'workspaces').findOne({ _id: sandbox.id }))?.['brand_id'],
        ),
      answers: 403,
    },
  } as const;
  type End = keyof typeof ENDS;
  const each = it.each(Object.keys(ENDS) as End[]);

  const approving = ({ sandbox, quote }: Place, idempotencyKey: string): Promise<Answer> =>
    ask(
      stack,
      secretOf(sandbox, 'full'),
      'approve_plan',
      { id: quote.plan_id, terms_fingerprint: quote.terms_fingerprint },
      { 'idempotency-key': idempotencyKey },
    );

  const until = async (condition: () => Promise<boolean>): Promise<void> => {
    const end = performance.now() + 15_000;
    while (!(await condition()) && performance.now() < end) await delay(10);
    expect(await condition()).toBe(true);
  };

  /** Ends the right once the approval is there, then lets it go on: refused, as is its retry, and without an order. */
  const neverSigned = async (place: Place, name: End, isThere: () => Promise<boolean>, go: () => unknown) => {
    const { end, answers } = ENDS[name];
    const { plan_id } = place.quote;
    const key = anIdempotencyKey();
    const running = approving(place, key);
    await until(isThere);
    expect([200, 202, 204]).toContain((await end(place)).status);
    const orders = () => rows('billing', 'orders').countDocuments({ plan_id });
    expect(await orders()).toBe(0);
    await go();
    expect((await running).status).toBe(503);
    expect((await retried(() => approving(place, key))).status).toBe(answers);
    expect(await orders()).toBe(0);
    expect(await rows('planning', 'plans').findOne({ _id: plan_id })).toMatchObject({ status: 'awaiting_approval' });
  };

  each(
    'is not signed, had it held nothing yet: %s',
    async (name) => {
      const place = await aPlace();
      const claims = rows('gateway', 'command_claims');
      const before = await claims.countDocuments();
      for (const one of stack.services['planning'] ?? []) one.pause();
      try {
        // It was admitted, and waits for the terms and prices before it reserves.
        await neverSigned(place, name, async () => (await claims.countDocuments()) > before, thaw);
      } finally {
        thaw();
      }
    },
    60_000,
  );

  each(
    'is not signed, though it held its cents: %s',
    async (name) => {
      const place = await aPlace();
      const { plan_id } = place.quote;
      // Somebody else's open transaction on the plan: planning can neither sign nor refuse.
      const session = mongo.startSession();
      session.startTransaction();
      await rows('planning', 'plans').updateOne({ _id: plan_id }, { $set: { locked: 1 } }, { session });
      const isHeld = async () => (await rows('billing', 'authority').findOne({ 'holds.plan_id': plan_id })) !== null;
      try {
        await neverSigned(place, name, isHeld, () => session.abortTransaction());
      } finally {
        await session.abortTransaction().catch(() => undefined); // The server may have ended it.
        await session.endSession();
      }
    },
    60_000,
  );
});
