// @night: the same ends have tests in billing, planning and the gateway; these race through a running system.
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BrandRole, Quote } from '@cds/contracts';
import { hashOf, newToken } from '@cds/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Collection, MongoClient } from 'mongodb';
import { aCampaign } from '../support/matrix-arguments.js';
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

const DAY_MS = 86_400_000;
const TERMS = '2026-11-01';

type Row = { _id: string; [field: string]: unknown };

/** Who approves, as request headers, with the id by which it is ended. */
type Actor = { headers: Record<string, string>; id: string };

/** A plan, its workspace, and people of its brand: an owner who ends things, and others who are ended. */
type Place = { sandbox: SeededWorkspace; quote: Quote; owner: Actor };

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

  const freeze = (): void => {
    for (const one of stack.services['planning'] ?? []) one.pause();
  };
  const thaw = (): void => {
    for (const one of stack.services['planning'] ?? []) one.resume();
  };

  /** A person of the brand with a session in its sandbox; written as a sign-in by link leaves it. */
  const aPerson = async ({ id: ws }: SeededWorkspace, role: BrandRole): Promise<Actor> => {
    const [token, person, member, session] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const [workspace, own] = await Promise.all([
      rows('gateway', 'workspaces').findOne({ _id: ws }),
      rows('gateway', 'keys').findOne({ ws, own: true }),
    ]);
    const [brand_id, own_key] = [workspace?.['brand_id'], own?.['key_id']];
    const now = new Date();
    const ends = new Date(now.getTime() + DAY_MS);
    const email = `${person}@people.example`;
    await rows('gateway', 'people').insertOne({
      _id: person,
      email,
      name: '',
      email_verified: true,
      created_at: now,
      updated_at: now,
    });
    await rows('gateway', 'members').insertOne({
      _id: member,
      brand_id,
      person_id: person,
      role,
      created_at: now,
      created_by: 'a test',
      joined_at: now,
    });
    await rows('gateway', 'sessions').insertOne({
      _id: session,
      token: createHash('sha256').update(token).digest('base64url'),
      person_id: person,
      created_at: now,
      updated_at: now,
      expires_at: ends,
      ends_at: ends,
      brand_id,
      workspace: ws,
      own_key,
      member,
    });
    await rows('gateway', 'terms_acceptances').insertOne({
      _id: randomUUID(),
      ws,
      key_id: own_key,
      own: true,
      mandate_version: 1,
      terms_version: TERMS,
      text_sha256: 'x',
      person,
      email,
      at: now,
      address: null,
      user_agent: null,
    });
    return { headers: { cookie: `cds_session=${token}`, origin: stack.appUrl }, id: member };
  };

  /** A client that a person let act as the key `full`. */
  const aClient = async ({ id: ws, keys }: SeededWorkspace): Promise<Actor> => {
    const [grant, token] = [randomUUID(), newToken('api')];
    const key_id = keys.find(({ name }) => name === 'full')?.id ?? '';
    const key = await rows('gateway', 'keys').findOne({ key_id });
    const granted = { ws, key_id, public_id: key?._id };
    const now = new Date();
    const ends = { expires_at: new Date(now.getTime() + DAY_MS), payload: {} };
    const named = { client_id: 'a client', client_name: 'A client', redirect_host: 'localhost', granted_by: 'a test' };
    await rows('gateway', 'oauth_grants').insertOne({
      _id: grant,
      ...granted,
      ...named,
      ...ends,
      created_at: now,
      renewed_at: now,
    });
    await rows('gateway', 'oauth_tokens').insertOne({
      _id: hashOf(token),
      ...granted,
      ...ends,
      kind: 'AccessToken',
      grant_id: grant,
      audience: `${stack.appUrl}/api/v1`,
      consumed_at: null,
    });
    return { headers: { authorization: `Bearer ${token}` }, id: grant };
  };

  const theKey = async ({ keys }: SeededWorkspace): Promise<Actor> => {
    const key = keys.find(({ name }) => name === 'full');
    return { headers: { authorization: `Bearer ${key?.secret}` }, id: key?.id ?? '' };
  };

  const aPlace = async (): Promise<Place> => {
    const { sandbox } = await aBrand(stack);
    const today = new Date().toISOString().slice(0, 10);
    const started = await ask(stack, secretOf(sandbox, 'full'), 'create_campaign', aCampaign(today));
    return { sandbox, quote: (started.body as { plan: Quote }).plan, owner: await aPerson(sandbox, 'owner') };
  };

  const operator = () => ({ authorization: `Bearer ${stack.opsToken}` });
  const brandOf = async ({ id }: SeededWorkspace): Promise<string> =>
    String((await rows('gateway', 'workspaces').findOne({ _id: id }))?.['brand_id']);

  /** How each right ends, who uses it, and what its user is answered from then on. */
  const ENDS = {
    'a person revokes the key': {
      by: theKey,
      end: ({ owner }: Place, { id }: Actor, key: string) =>
        ask(stack, null, 'key_revoke', { id }, { ...owner.headers, 'idempotency-key': key }),
      answers: 401,
    },
    'somebody reports the key': {
      by: theKey,
      end: ({ sandbox }: Place) => ask(stack, null, 'key_report', { key: secretOf(sandbox, 'full') }),
      answers: 401,
    },
    'an operator revokes the key': {
      by: theKey,
      end: (_at: Place, { id }: Actor, key: string) =>
        ask(stack, null, 'ops_key_revoke', { id, reason: 'leaked' }, { ...operator(), 'idempotency-key': key }),
      answers: 401,
    },
    'an operator suspends the brand': {
      by: theKey,
      end: async ({ sandbox }: Place, _actor: Actor, key: string) =>
        ask(
          stack,
          null,
          'ops_brand_suspend',
          { id: await brandOf(sandbox), reason: 'unpaid' },
          { ...operator(), 'idempotency-key': key },
        ),
      answers: 403,
    },
    'an admin ends the client': {
      by: aClient,
      end: ({ owner }: Place, { id }: Actor, key: string) =>
        ask(stack, null, 'client_end', { id }, { ...owner.headers, 'idempotency-key': key }),
      answers: 401,
    },
    'an owner removes the member': {
      by: (sandbox: SeededWorkspace) => aPerson(sandbox, 'admin'),
      end: ({ owner }: Place, { id }: Actor, key: string) =>
        ask(stack, null, 'member_remove', { id }, { ...owner.headers, 'idempotency-key': key }),
      answers: 401,
    },
    'an owner makes the admin a member': {
      by: (sandbox: SeededWorkspace) => aPerson(sandbox, 'admin'),
      end: ({ owner }: Place, { id }: Actor, key: string) =>
        ask(stack, null, 'member_change', { id, role: 'member' }, { ...owner.headers, 'idempotency-key': key }),
      answers: 403,
    },
  } as const;
  type End = (typeof ENDS)[keyof typeof ENDS];

  const approving = ({ quote }: Place, { headers }: Actor, idempotencyKey: string): Promise<Answer> =>
    ask(
      stack,
      null,
      'approve_plan',
      { id: quote.plan_id, terms_fingerprint: quote.terms_fingerprint },
      { ...headers, 'idempotency-key': idempotencyKey },
    );

  const until = async (condition: () => Promise<boolean>): Promise<void> => {
    const end = performance.now() + 15_000;
    while (!(await condition()) && performance.now() < end) await delay(10);
    expect(await condition()).toBe(true);
  };

  const ordersOf = ({ quote }: Place): Promise<number> =>
    rows('billing', 'orders').countDocuments({ plan_id: quote.plan_id });

  /** Ends the right, then lets the approval continue: it is refused, and so is its retry; there is no order. */
  const neverSigned = async (
    place: Place,
    actor: Actor,
    of: End,
    running: Promise<Answer>,
    key: string,
    go: () => unknown,
  ) => {
    const ended = await of.end(place, actor, anIdempotencyKey());
    expect([200, 202, 204]).toContain(ended.status);
    expect(await ordersOf(place)).toBe(0);
    await go();
    expect((await running).status).toBe(503);
    const again = await retried((_id) => approving(place, actor, key));
    expect(again.status).toBe(of.answers);
    expect(await ordersOf(place)).toBe(0);
    expect(await rows('planning', 'plans').findOne({ _id: place.quote.plan_id })).toMatchObject({
      status: 'awaiting_approval',
    });
  };

  it.each(Object.keys(ENDS) as (keyof typeof ENDS)[])(
    'is not signed, had it held nothing yet: %s',
    async (name) => {
      const place = await aPlace();
      const of: End = ENDS[name];
      const actor = await of.by(place.sandbox);
      const claims = rows('gateway', 'command_claims');
      const before = await claims.countDocuments();
      freeze();
      try {
        const key = anIdempotencyKey();
        const running = approving(place, actor, key);
        // It was admitted, and waits for the terms and prices before it reserves.
        await until(async () => (await claims.countDocuments()) > before);
        await neverSigned(place, actor, of, running, key, thaw);
      } finally {
        thaw();
      }
    },
    60_000,
  );

  it.each([
    'a person revokes the key',
    'an operator suspends the brand',
    'an admin ends the client',
    'an owner removes the member',
  ] as const)(
    'is not signed, though it held its cents: %s',
    async (name) => {
      const place = await aPlace();
      const of: End = ENDS[name];
      const actor = await of.by(place.sandbox);
      // Somebody else's open transaction on the plan: planning can neither sign nor refuse.
      const session = mongo.startSession();
      session.startTransaction();
      await rows('planning', 'plans').updateOne({ _id: place.quote.plan_id }, { $set: { locked: 1 } }, { session });
      try {
        const key = anIdempotencyKey();
        const running = approving(place, actor, key);
        await until(
          async () => (await rows('billing', 'authority').findOne({ 'holds.plan_id': place.quote.plan_id })) !== null,
        );
        await neverSigned(place, actor, of, running, key, () => session.abortTransaction());
      } finally {
        await session.abortTransaction().catch(() => undefined); // The server may have ended it.
        await session.endSession();
      }
    },
    60_000,
  );
});
