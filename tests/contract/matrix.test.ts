import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  extensionTools,
  type LimitPool,
  type OperationDeclaration,
  type OperationName,
  publishedOperations,
  SCOPES,
  type Scope,
  sandboxTools,
  toolNameOf,
  toolOperations,
} from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { type CallResult, type Endpoint, mcpEndpoint, restEndpoint } from '../support/endpoints.js';
import { ARGUMENTS, type Row, type World, WRITES_IN_ORDER } from '../support/matrix-arguments.js';
import { aWorld } from '../support/matrix-world.js';
import {
  aBrand,
  anIdempotencyKey,
  ask,
  type SeededWorkspace,
  type SharedStack,
  secretOf,
  sharedStack,
} from '../support/stack.js';
import { StackWindows } from '../support/windows.js';

/**
 * Every public operation against the rules that hold for all of them, driven by the declarations
 * (docs/reliability.md#layers).
 */
const OPERATIONS = publishedOperations();
const named = (list: readonly OperationDeclaration[]) =>
  list.map((operation) => [operation.name as OperationName, operation] as const);

const rowOf = (name: string): Row => {
  const row = ARGUMENTS[name];
  if (row === undefined) throw new Error(`${name} has no row in matrix.arguments.ts`);
  return row;
};

describe('the table of arguments', () => {
  it('has a row for every public operation, and no other', () => {
    expect(new Set(Object.keys(ARGUMENTS))).toEqual(new Set(OPERATIONS.map((operation) => operation.name)));
  });

  it('gives every write its place in the order', () => {
    const writes = OPERATIONS.filter((operation) => operation.effect === 'write').map((operation) => operation.name);
    expect(new Set<string>(WRITES_IN_ORDER)).toEqual(new Set(writes));
  });

  it('covers every path argument that is an object of the workspace', () => {
    // Creators and their units belong to the network, which is the same for everyone.
    const network = new Set(['creator_get', 'creator_ask_price', 'sandbox_unit_set', 'sandbox_unit_clear']);
    for (const { name, params } of OPERATIONS.filter((operation) => !network.has(operation.name)))
      expect(Object.keys(rowOf(name).own ?? {})).toEqual(expect.arrayContaining(Object.keys(params?.shape ?? {})));
  });
});

/** About lines of paid plans; the plan here awaits approval until it is signed last. */
const PAID_ONLY = new Set(['line_replace', 'line_dispute', 'line_disputes', 'line_integrity']);

describe('every public operation', () => {
  let stack: SharedStack;
  let mongo: MongoClient;
  let windows: StackWindows;
  let mine: SeededWorkspace;
  let live: SeededWorkspace;
  let theirs: SeededWorkspace;
  let own: World;
  let other: World;

  const key = (name: string, workspace = mine): string => secretOf(workspace, name);
  const argumentsOf = async (name: string): Promise<Record<string, unknown>> => rowOf(name).input(own);
  const database = (service: string) => mongo.db(`${stack.prefix}cds_${service}`);
  const keys = () => database('gateway').collection<{ _id: string }>('keys');

  /** A bare tool call without a client, to see the HTTP answer. */
  const callTool = (tool: string, args: Record<string, unknown>, secret: string | null): Promise<Response> =>
    fetch(stack.mcpUrl, {
      method: 'POST',
      headers: {
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } }),
    });

  const withScopes = async (name: string, scopes: readonly Scope[]): Promise<string> => {
    const found = mine.keys.find((one) => one.name === name);
    await windows.changeKeys(keys(), { key_id: found?.id }, { scopes });
    return key(name);
  };

  /** A copy of something of the other brand: this brand's plan is signed last, and a sandbox starts few campaigns. */
  const copyOf = async (collection: 'orders' | 'receipts', id: string, over: (copy: string) => object = () => ({})) => {
    const rows = database('billing').collection<{ _id: string }>(collection);
    const found = await rows.findOne({ _id: id });
    if (found === null) throw new Error(`the other brand has no row in ${collection}`);
    const _id = randomUUID();
    await rows.insertOne({ ...found, _id, ws: mine.id, ...over(_id) } as { _id: string });
    return _id;
  };

  const signedAndPaid = async (workspace: SeededWorkspace): Promise<World> => {
    const full = secretOf(workspace, 'full');
    const world = await aWorld(stack, workspace);
    const { terms_fingerprint } = await world.quote();
    const approved = (await ask(stack, full, 'approve_plan', { id: world.planId, terms_fingerprint })).body as {
      order_id: string;
    };
    await ask(stack, full, 'sandbox_order_payment', { id: approved.order_id, outcome: 'paid' });
    const order = (await ask(stack, full, 'order_get', { id: approved.order_id })).body as { receipt_id: string };
    return { ...world, orderId: approved.order_id, receiptId: order.receipt_id };
  };

  beforeAll(async () => {
    stack = await sharedStack();
    mongo = await new MongoClient(stack.mongodbUri).connect();
    windows = await StackWindows.open(stack);
    // With it the authenticated endpoint lists every declared tool.
    await database('gateway')
      .collection<{ _id: string; extensions: boolean }>('switches')
      .updateOne({ _id: 'switches' }, { $set: { extensions: true } }, { upsert: true });
    const brand = await aBrand(stack);
    [mine, live] = [brand.sandbox, brand.live];
    theirs = (await aBrand(stack)).sandbox;
    other = await signedAndPaid(theirs);
    let order: Promise<string> | undefined;
    let receipt: Promise<string> | undefined;
    own = {
      ...(await aWorld(stack, mine)),
      anOrder: () => {
        order ??= copyOf('orders', other.orderId, (copy) => ({ plan_id: copy, pay_token_hash: copy }));
        return order;
      },
      aReceipt: () => {
        receipt ??= copyOf('receipts', other.receiptId);
        return receipt;
      },
    };
  }, 180_000);

  /** The matrix sends more than a key's requests of a minute, whose limit other suites test. */
  beforeEach(async () => {
    await windows.beginAgain();
  });

  afterAll(async () => {
    await database('gateway').collection<{ _id: string }>('switches').deleteOne({ _id: 'switches' });
    await mongo?.close();
    await windows?.close();
  });

  describe('without a key', () => {
    it.each(named(OPERATIONS.filter((operation) => operation.scope !== null)))(
      '%s is 401 with a challenge',
      async (name, operation) => {
        proves('errors.401-no-key', 'auth.bearer', 'mcp.401-challenge', 'general.request-id-always');
        const input = await argumentsOf(name);
        for (const secret of [null, `cds_test_${'A'.repeat(12)}_${'A'.repeat(49)}`]) {
          const answer = await ask(stack, secret, name, input);
          expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
          expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
          expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._:-]{8,128}$/);
        }
        if (operation.tool === undefined) return;
        const result = await callTool(toolNameOf(operation), input, null);
        expect(result.status).toBe(401);
        expect(result.headers.get('www-authenticate')).toContain('resource_metadata=');
      },
    );

    it('network_facts answers, because it needs no key', async () => {
      proves('facts.approved-priced');
      const answer = await ask(stack, null, 'network_facts', {});
      expect(answer).toMatchObject({ status: 200, body: { approved: expect.any(Number), priced: expect.any(Number) } });
    });
  });

  describe('by scope', () => {
    const scoped = OPERATIONS.filter((operation) => SCOPES.includes(operation.scope as Scope));

    it.each(named(scoped))('%s refuses a key with every other scope, and challenges it', async (name, operation) => {
      proves('errors.403-scope', 'errors.403-scope-challenge', 'auth.nine-scopes', 'auth.write-needs');
      const lacking = await withScopes(
        'narrow',
        SCOPES.filter((scope) => scope !== operation.scope),
      );
      const input = await argumentsOf(name);
      const challenge = `Bearer error="insufficient_scope", scope="${operation.scope}"`;

      const rest = await ask(stack, lacking, name, input);
      expect(rest).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
      expect(rest.headers.get('www-authenticate')).toBe(challenge);

      if (operation.tool === undefined) return;
      const args = operation.idempotency === undefined ? input : { ...input, idempotency_key: anIdempotencyKey() };
      const result = await callTool(toolNameOf(operation), args, lacking);
      expect([result.status, result.headers.get('www-authenticate')]).toEqual([200, null]);
      expect(await result.json()).toMatchObject({
        result: { isError: true, _meta: { status: 403, error: { code: 'forbidden' } } },
      });
    });

    // What a sandbox simulates needs no mandate, and would change the sandbox of the other cases.
    it.each(named(scoped.filter((operation) => operation.audience !== 'sandbox')))(
      '%s takes a key with its scope alone; without a mandate a write goes no further',
      async (name, operation) => {
        proves(
          'errors.403-scope-challenge',
          'errors.mandate-refused-escalates',
          'edits.mandate-needed',
          'general.writes-need-key-and-mandate',
        );
        const answer = await ask(
          stack,
          await withScopes('reader', [operation.scope as Scope]),
          name,
          await argumentsOf(name),
        );
        expect(answer.headers.get('www-authenticate')).toBeNull();
        // A price request spends nothing and needs only its scope to read.
        if (PAID_ONLY.has(name)) expect(answer.status).toBe(404);
        else if (operation.effect === 'read' || name === 'creator_ask_price') expect(answer.status).toBe(200);
        else
          expect(answer).toMatchObject({
            status: 403,
            body: { error: { code: 'mandate_refused', details: { reason: 'no_mandate', escalate: true } } },
          });
      },
    );

    it('feedback_send takes any valid key', async () => {
      proves('feedback.any-key', 'feedback.send');
      const answer = await ask(stack, await withScopes('reader', []), 'feedback_send', { message: 'Good.' });
      expect(answer).toMatchObject({ status: 201, body: { id: expect.any(String), received_at: expect.any(String) } });
    });

    it.each(named(OPERATIONS.filter((operation) => operation.audience === 'sandbox')))(
      '%s is refused to a live workspace',
      async (name) => {
        const answer = await ask(stack, key('full', live), name, await argumentsOf(name));
        expect(answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
        expect(answer.headers.get('www-authenticate')).toBeNull();
      },
    );
  });

  describe('with an id of another brand', () => {
    const naming = OPERATIONS.flatMap((operation) =>
      Object.entries(rowOf(operation.name).own ?? {}).map(
        ([field, theirs]) => [operation.name as OperationName, field, operation, theirs] as const,
      ),
    );
    let endpoint: Endpoint;

    beforeAll(async () => {
      endpoint = await mcpEndpoint(stack, key('bare'));
    });
    afterAll(() => endpoint?.close());

    it.each(naming)('%s answers 404 for a foreign %s, as for a missing one', async (name, field, operation, theirs) => {
      proves('errors.404-foreign-is-absent', 'status.foreign-404', 'remove.foreign-404');
      const input = await argumentsOf(name);
      const endpoints =
        operation.tool === undefined
          ? [restEndpoint(stack, key('muted'))]
          : [restEndpoint(stack, key('muted')), endpoint];
      const needsKey = operation.idempotency !== undefined;
      for (const one of endpoints) {
        const call = (id: string): Promise<CallResult> =>
          one.call(name, { ...input, [field]: id }, needsKey ? anIdempotencyKey() : undefined);
        const foreign = await call(theirs(other));
        expect(foreign).toMatchObject({ status: 404, value: { error: { code: 'not_found' } } });
        expect(await call(randomUUID())).toEqual(foreign);
      }
    });
  });

  describe('over either transport', () => {
    let endpoint: Endpoint;

    /** An answer without the time it was computed at and without windows of a minute, which differ between calls. */
    const untimed = (answer: { status: number; value: unknown }) => {
      const { computed_at: _time, ...value } = answer.value as Record<string, unknown>;
      const limits = value['limits'] as LimitPool[] | undefined;
      if (limits === undefined) return { ...answer, value };
      const slow = limits.filter(({ name }) => name !== 'request_rate' && name !== 'per_minute');
      return { ...answer, value: { ...value, limits: slow } };
    };

    beforeAll(async () => {
      endpoint = await mcpEndpoint(stack, key('full'));
    });
    afterAll(() => endpoint?.close());

    it.each(named([...toolOperations(), ...extensionTools()].filter(({ effect }) => effect === 'read')))(
      '%s reads the same value',
      async (name, operation) => {
        proves('mcp.same-values', 'general.same-tools-as-rest', 'fields.money-cents');
        proves('inventory.shape', 'inventory.all-fields', 'offerings.fields', 'brain.full', 'campaigns.list');
        proves('campaigns.summary-fields', 'status.fields', 'quote.fields', 'quote.line-fields');
        const input = await argumentsOf(name);
        const rest = await restEndpoint(stack, key('full')).call(name, input);
        expect(rest.status).toBe(200);
        expect(operation.output.safeParse(rest.value).error).toBeUndefined();
        expect(untimed(await endpoint.call(name, input))).toEqual(untimed(rest));
      },
    );

    it('lists the declared tools in their order', async () => {
      proves('mcp.tools-listed', 'mcp.hints');
      const response = await fetch(stack.mcpUrl, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key('bare')}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      const { result } = (await response.json()) as { result: { tools: { name: string; annotations: object }[] } };
      const declared = [...toolOperations(), ...extensionTools(), ...sandboxTools()];
      expect(result.tools.map((tool) => tool.name)).toEqual(declared.map(toolNameOf));
      for (const tool of result.tools)
        expect(Object.keys(tool.annotations)).toEqual(
          expect.arrayContaining(['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint']),
        );
    });
  });

  describe('writes with a malformed Idempotency-Key', () => {
    const demanding = OPERATIONS.filter((operation) => operation.idempotency === 'required');

    it.each(named(demanding))('%s is 400 and runs nothing', async (name, operation) => {
      proves('idempotency.key-required', 'limits.key-grammar');
      const secret = operation.audience === 'sandbox' ? key('muted', theirs) : key('muted', live);
      const input = await argumentsOf(name);
      for (const value of ['', '1234567', 'x'.repeat(129), '"quoted-key"', 'a key with spaces']) {
        const answer = await ask(stack, secret, name, input, { 'idempotency-key': value });
        expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
      }
    });
  });

  describe('writes repeated under the same key', () => {
    const SHELL =
      /^(commands|command_claims|outbox|inbox|leases|dead_letters|clocks|keys|windows|request_log|usage_days)$/;

    /** Both endpoints for two keys that share the writes; only `full` may sign. */
    const endpoints = new Map<string, readonly [rest: Endpoint, mcp: Endpoint]>();
    const endpointsOf = (name: string): readonly [rest: Endpoint, mcp: Endpoint] => {
      const found = endpoints.get(name);
      if (found === undefined) throw new Error(`no endpoints for ${name}`);
      return found;
    };

    beforeAll(async () => {
      for (const name of ['full', 'writer'])
        endpoints.set(name, [restEndpoint(stack, key(name)), await mcpEndpoint(stack, key(name))]);
    });
    afterAll(() => Promise.all([...endpoints.values()].flat().map((endpoint) => endpoint.close())));
    // A key has 60 requests a minute, and all of these may fall into one.
    beforeEach(async () => {
      await windows.beginAgain();
    });

    const heldBy = async (service: string): Promise<Record<string, number>> => {
      const db = database(service);
      const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
      const held: Record<string, number> = {};
      for (const name of names.filter((one) => !SHELL.test(one))) {
        const documents = await db.collection(name).find({ ws: own.workspace }).toArray();
        held[name] = documents.reduce((sum, one) => sum + 1 + (Number(one['version'] ?? one['rev']) || 0), 0);
      }
      return held;
    };

    /**
     * Waits until the repricings queued by a price move of the seeded network are done: they change rows on their own.
     */
    const repriced = async (): Promise<void> => {
      const waiting = database('planning').collection('repricings');
      const end = performance.now() + 10_000;
      while ((await waiting.countDocuments({ ws: own.workspace })) > 0) {
        if (performance.now() > end) throw new Error('plans still wait for their new prices after 10 s');
        await delay(20);
      }
    };

    /** What a service holds while no plan waits for new prices: one may be queued at any moment after a price move. */
    const heldOnceRepriced = async (service: string): Promise<Record<string, number>> => {
      for (;;) {
        await repriced();
        const held = await heldBy(service);
        if ((held['repricings'] ?? 0) === 0) return held;
      }
    };

    /** The first row's line once it looks as wanted; an event of the previous write brings it. */
    const lineOf = async (service: string, collection: string, wanted: object, field: string): Promise<string> => {
      const end = performance.now() + 10_000;
      for (;;) {
        const row = await database(service)
          .collection(collection)
          .findOne({ ws: own.workspace, ...wanted });
        if (row !== null) return String(row[field]);
        if (performance.now() > end) throw new Error(`${collection} has no line that is ${JSON.stringify(wanted)}`);
      }
    };

    /** Lines that the sandbox can play: one with its proposal sent, and one that is booked. Keys that may delegate. */
    const prepare = async (name: string): Promise<void> => {
      if (name === 'sandbox_line_answer')
        own = { ...own, lineIds: [await lineOf('proposals', 'proposals', { state: 'sent' }, 'line_id')] };
      if (name === 'sandbox_line_post')
        own = { ...own, lineIds: [await lineOf('metrics', 'posts', { booked: true, published_at: null }, '_id')] };
      if (name === 'line_replace') {
        // The dearest line that waits for its answer: the unit that replaces it costs no more.
        const offered = await database('proposals')
          .collection<{ _id: string }>('offer_lines')
          .findOne({ ws: own.workspace, open_attempt: { $ne: null } }, { sort: { price_cents: -1 } });
        const lineId = offered?._id ?? '';
        own = { ...own, lineIds: [lineId] };
        await endpointsOf('full')[0].call('rename_campaign', { id: own.campaignId, replacements: 'ask' });
        await endpointsOf('full')[0].call('sandbox_line_answer', { id: lineId, answer: 'decline' });
      }
      if (name === 'key_delegate')
        await windows.changeKeys(keys(), { ws: own.workspace, own: false }, { may_delegate: true });
    };

    it.each(WRITES_IN_ORDER.map((name) => [name] as const))('%s runs once', async (name) => {
      proves('idempotency.same-answer', 'idempotency.never-twice', 'mcp.same-effects');
      const operation = OPERATIONS.find((one) => one.name === name) as OperationDeclaration;
      await prepare(name);
      const input = await argumentsOf(name);
      const idempotencyKey = anIdempotencyKey();
      const signs = operation.tool === undefined || operation.scope === 'plans:approve';
      const [rest, mcp] = endpointsOf(signs ? 'full' : 'writer');

      const first = await rest.call(name, input, idempotencyKey);
      expect({ status: first.status, value: first.value }).toEqual({
        status: operation.success ?? 200,
        value: first.value,
      });
      expect(first.replayed).toBe(false);
      const held = await heldOnceRepriced(operation.service);

      expect(await rest.call(name, input, idempotencyKey)).toEqual({ ...first, replayed: true });
      if (operation.tool !== undefined)
        expect(await mcp.call(name, input, idempotencyKey)).toEqual({ ...first, replayed: true });
      expect(await heldBy(operation.service)).toEqual(held);

      if (name === 'plan_swap_creator') own = { ...own, lineIds: own.lineIds.slice(1) };
      if (name === 'approve_plan') own = { ...own, orderId: (first.value as { order_id: string }).order_id };
    });
  });
});
