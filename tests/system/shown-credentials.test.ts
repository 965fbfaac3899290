import {
  type Audience,
  BRAND_ROLES,
  hasEndpoint,
  OPERATOR_ROLES,
  type OperationName,
  operations,
  pathOf,
  type RestOperation,
} from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { callWith } from '../fuzz/callers.js';
import { linkOf, signIn } from '../fuzz/people.js';
import { aMember, aSide, ownerOf, type Side } from '../fuzz/sides.js';
import { creatorLinkOf } from '../support/creator-link.js';
import { signPlan } from '../support/main-job.js';
import { refilling } from '../support/refilling.js';
import { ask, eventually, type SharedStack, sharedStack } from '../support/stack.js';

/** A credential that is alive, by what it lets its holder do. `paying` ones are for whoever may sign for the brand. */
type Planted = { what: string; secret: string; paying?: true };

/** Somebody who reads: with a key or token, or a session's cookie; `signs` may sign plans. */
type Reader = { who: string; key: string | null; cookie?: string; audiences: readonly Audience[]; signs?: true };

const OF_A_BRAND: readonly Audience[] = ['brand', 'sandbox'];

/** Reads that are refused here, and why; every other read must be answered to whoever may do most. */
const REFUSED: Partial<Record<OperationName, string>> = {
  ops_import_get: 'nothing was imported',
  plan_preflight: 'the plan is unsigned for some and signed for others',
};

const READS: readonly RestOperation[] = operations
  .filter(hasEndpoint)
  .filter(({ effect, rest }) => effect === 'read' && rest.method === 'GET');

/** I70: credentials of every kind, and every answer of the running system searched for them. */
describe('a credential', () => {
  let stack: SharedStack;
  let side: Side;
  let mongo: MongoClient;
  let stop: () => Promise<void>;
  const planted: Planted[] = [];
  const readers: Reader[] = [];
  const inputs: Partial<Record<OperationName, Record<string, unknown>>> = {};

  const plant = (what: string, secret: string | undefined, paying?: true): void => {
    if (secret === undefined || secret.length < 20) throw new Error(`${what} was not planted`);
    planted.push({ what, secret, ...(paying && { paying }) });
  };
  const tokenIn = (link: string): string => link.split('/').at(-1) ?? '';

  beforeAll(async () => {
    stack = await sharedStack();
    mongo = await new MongoClient(stack.mongodbUri).connect();
    side = await aSide(stack, { drafts: false });
    const { brand, asOwner, pools } = side;
    const { live, sandbox } = brand.workspaces;
    stop = await refilling(stack, [live, sandbox], { everybody: true });
    const asTeam = callWith(stack, { key: stack.opsToken });

    for (const role of OPERATOR_ROLES) {
      const { secret } = await asTeam('ops_token_make', { name: `${role} of ${brand.name}`, role });
      plant(`the token of a ${role}`, secret);
      readers.push({ who: `the token of a ${role}`, key: secret, audiences: ['operator'] });
    }
    const lead = `lead@${brand.name}.example`;
    await asTeam('ops_operator_make', { email: lead, name: 'Ada', role: 'lead' });
    const leadsCookie = await signIn(stack, 'operator', lead);
    readers.push({ who: "a lead's session", key: null, cookie: leadsCookie, audiences: ['operator'] });
    plant("a lead's session", leadsCookie.split('=')[1]);
    plant("a lead's sign-in link", await linkOf(stack, 'operator', lead));
    plant('the configured operator token', stack.opsToken);
    plant('the token of the mail relay', stack.relayToken);

    // The brand: its people, keys, clients, endpoint, and what its creators and its payer are sent.
    for (const role of BRAND_ROLES) {
      const cookie = role === 'owner' ? side.cookie : await aMember(stack, side, role);
      const signs = role === 'admin' || role === 'owner';
      const audiences: readonly Audience[] = ['person', ...OF_A_BRAND];
      readers.push({ who: `the session of a ${role}`, key: null, cookie, audiences, ...(signs && { signs }) });
      plant(`the session of a ${role}`, cookie.split('=')[1]);
    }
    plant("an owner's sign-in link", await linkOf(stack, 'brand', ownerOf(brand)));
    const [full, , reader] = brand.keys;
    readers.push({ who: 'a key', key: full ?? '', audiences: OF_A_BRAND, signs: true });
    readers.push({ who: 'a key that may not sign', key: reader ?? '', audiences: OF_A_BRAND });
    for (const key of [...brand.keys, brand.liveKey, ...(pools['keys.secret'] ?? [])]) plant('a key', key);
    for (const [of, token] of Object.entries(side.tokens)) plant(`the token of a client for ${of}`, token);
    const hook = await asOwner('webhook_make', { url: 'https://hooks.example.com/planted' });
    plant('the secret of a webhook', hook.secret);
    const job = await signPlan(stack, full ?? '');
    plant('a payment link', tokenIn(job.payUrl), true);
    const offered = await eventually(
      () => ask(stack, stack.opsToken, 'ops_proposals_list', { limit: 200 }),
      ({ items }: { items: { order_id: string }[] }) => items.some(({ order_id: id }) => id === brand.ids['orders.id']),
    );
    const { items } = offered.body as { items: { id: string; order_id: string }[] };
    const proposal = items.find(({ order_id: id }) => id === brand.ids['orders.id']);
    plant("a creator's link", tokenIn(await creatorLinkOf(stack, proposal?.id ?? '')));

    const ofId = (pool: string) => ({ id: (pools[pool] ?? [])[0] ?? brand.ids[pool] });
    const order = { id: job.orderId };
    Object.assign(inputs, {
      resolve_audience: { audience: 'startup founders' },
      creator_get: ofId('creators.id'),
      campaign_status: { id: job.campaignId },
      plan_quote: { id: job.planId },
      plan_rationale: { id: job.planId },
      plan_history: { id: job.planId },
      plan_preflight: ofId('plans.id'),
      order_get: order,
      receipt_get: ofId('receipts.id'),
      line_disputes: ofId('lines.id'),
      line_integrity: ofId('lines.id'),
      keys_usage: { limit: 200 },
      events_list: { limit: 200 },
      events_stream: { seconds: 1 },
      context_version: { version: 1 },
      webhook_deliveries: { id: hook.webhook.id },
      member_rights: ofId('members.id'),
      ops_creator_get: ofId('creators.id'),
      ops_order_get: order,
      ops_audit_export: { workspace: sandbox },
    } satisfies Partial<Record<OperationName, Record<string, unknown>>>);
  }, 240_000);
  afterAll(async () => {
    await stop?.();
    await mongo?.close();
  });

  /** The answer to a read, as text with its headers. */
  const read = async ({ key, cookie }: Reader, operation: RestOperation): Promise<{ status: number; text: string }> => {
    const input = { ...inputs[operation.name as OperationName] };
    const path = pathOf(operation).replace(/\{(\w+)\}/g, (_all, field: string) => {
      const value = String(input[field]);
      delete input[field];
      return value;
    });
    const url = new URL(path, stack.appUrl);
    for (const [field, value] of Object.entries(input)) url.searchParams.set(field, String(value));
    const credential = key === null ? { cookie: cookie ?? '' } : { authorization: `Bearer ${key}` };
    const { status, headers, ...answer } = await fetched(url, credential);
    return { status, text: `${JSON.stringify([...headers])}\n${answer.text}` };
  };
  const fetched = async (url: URL, headers: Record<string, string>) => {
    const answer = await fetch(url, { headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const foundIn = (text: string, signs = false): string[] =>
    planted.filter(({ secret, paying }) => text.includes(secret) && !(paying && signs)).map(({ what }) => what);

  const readNamed = (wanted: OperationName): RestOperation => {
    const found = READS.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`${wanted} is no read`);
    return found;
  };

  it('would be found: the relay is given links, and who may sign is given the payment link', async () => {
    const relay: Reader = { who: 'the relay', key: stack.relayToken, audiences: ['relay'] };
    const list = readNamed('relay_messages_list');
    let found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      inputs.relay_messages_list = { limit: 200, ...(cursor !== '' && { cursor }) };
      const { text } = await read(relay, list);
      found = [...found, ...foundIn(text)];
      cursor = (JSON.parse(text.slice(text.indexOf('\n') + 1)) as { next: string | null }).next;
    }
    expect(found).toEqual(expect.arrayContaining(["an owner's sign-in link", "a lead's sign-in link"]));
    const key: Reader = { who: 'a key', key: side.brand.keys[0] ?? '', audiences: OF_A_BRAND };
    expect(foundIn((await read(key, readNamed('order_get'))).text)).toEqual(['a payment link']);
  });

  it('is in no answer of a read, except to its owner', async () => {
    const shown: string[] = [];
    const answered = new Set<string>();
    for (const reader of readers)
      for (const operation of READS.filter(({ audience }) => reader.audiences.includes(audience))) {
        const { status, text } = await read(reader, operation);
        if (status === 200) answered.add(operation.name);
        shown.push(...foundIn(text, reader.signs).map((what) => `${reader.who}, ${operation.name}: ${what}`));
      }
    expect(shown).toEqual([]);
    const wanted = READS.filter(({ audience }) => readers.some(({ audiences }) => audiences.includes(audience)));
    expect(wanted.map(({ name }) => name).filter((name) => !answered.has(name) && !(name in REFUSED))).toEqual([]);
  }, 240_000);

  it('is in no document and no event', async () => {
    const found: string[] = [];
    const look = (where: string, text: string) => found.push(...foundIn(text).map((what) => `${where}: ${what}`));
    const names = (await mongo.db('admin').admin().listDatabases({ nameOnly: true })).databases.map(({ name }) => name);
    for (const name of names.filter((one) => one.startsWith(stack.prefix)))
      for (const collection of await mongo.db(name).listCollections({}, { nameOnly: true }).toArray())
        for await (const document of mongo.db(name).collection(collection.name).find())
          look(`${name.slice(stack.prefix.length)}.${collection.name}`, JSON.stringify(document));
    const { host, username, password } = new URL(stack.natsUrl);
    const nats = await connect({ servers: host, user: username, pass: decodeURIComponent(password) });
    const manager = await jetstreamManager(nats);
    let count = 0;
    for await (const { config, state } of manager.streams.list())
      for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq += 1) {
        const message = await manager.streams.getMessage(config.name, { seq });
        if (message === null) continue;
        count += 1;
        look(`an event ${message.subject}`, new TextDecoder().decode(message.data));
      }
    await nats.close();
    expect(count).toBeGreaterThan(0);
    expect(found).toEqual([]);
  }, 120_000);
});
