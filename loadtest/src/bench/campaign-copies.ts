import { randomUUID } from 'node:crypto';
import { type Document, MongoClient } from 'mongodb';
import type { Stack } from '../../../tools/lib/stack.js';
import { copyFullKey, paidCampaign, post, type Reader } from './fixture.js';
import { say } from './settings.js';

export type CopiedCampaign = { campaign: string; plan: string; order: string; receipt: string };

export type Grown = { keys: Reader[]; campaigns: CopiedCampaign[]; lines: number };

type Row = Document & { _id: string };
/** A collection, and in which fields a copy of its rows differs besides ids and dates. */
type Collected = { service: string; name: string; own?: (row: Row, number: number) => Document };
type Part = Collected & { rows: Row[] };

const BUDGET_USD = 4_000;
/** The campaign's window, the days that prove a post, and most readings, in steps that one request has time for. */
const STEPS = 9;
const STEP_SECONDS = 5 * 86_400;
const HOUR_MS = 3_600_000;
const COPIED_AT_ONCE = 50;

/** What the reads of a campaign are made of. A copy is live and nothing is due in it, so that no sweep works on it. */
const COLLECTIONS: readonly Collected[] = [
  { service: 'planning', name: 'campaigns', own: (_row, number) => ({ number }) },
  { service: 'planning', name: 'plans' },
  { service: 'planning', name: 'plan_versions' },
  { service: 'planning', name: 'line_facts' },
  { service: 'billing', name: 'orders', own: () => ({ sandbox: false, pay_token_hash: randomUUID() }) },
  { service: 'billing', name: 'receipts' },
  { service: 'billing', name: 'ledger' },
  { service: 'billing', name: 'credits' },
  { service: 'metrics', name: 'campaigns' },
  { service: 'metrics', name: 'lines', own: () => ({ sandbox: false }) },
  {
    service: 'metrics',
    name: 'posts',
    own: ({ post_id: id }) => ({ sandbox: false, due_at: null, post_id: id === null ? null : randomUUID() }),
  },
  { service: 'metrics', name: 'readings' },
  { service: 'catalog', name: 'paid_orders' },
  { service: 'catalog', name: 'plan_creators' },
  { service: 'gateway', name: 'feed_heads' },
];
/** The feed also has heads of keys, which are no campaign's. */
const OF_CAMPAIGNS = ['campaign', 'plan', 'order', 'line', 'post', 'reading'];

/** Makes workspaces with so many copies of a campaign that a sandbox played to its end. */
export const grownWorkspaces = async (stack: Stack, sizes: readonly number[], keysEach: number): Promise<Grown[]> => {
  say('playing a campaign to its end');
  const { sandbox, live } = await playedCampaign(stack);
  const client = await MongoClient.connect(stack.mongodbUri);
  try {
    const parts = await partsOf(client, stack, sandbox);
    const grown: Grown[] = [];
    for (const size of sizes) {
      say(`copying the campaign ${size} times`);
      const ws: string = randomUUID();
      const campaigns: CopiedCampaign[] = [];
      for (let made = 0; made < size; made += COPIED_AT_ONCE)
        campaigns.push(
          ...(await insertCopies(client, stack, parts, {
            from: sandbox,
            to: ws,
            numbers: Array.from({ length: Math.min(COPIED_AT_ONCE, size - made) }, (_none, at) => made + at + 1),
          })),
        );
      const workspaces = Array.from({ length: keysEach }, () => ws);
      const lines = size * rowsOf(parts, 'metrics', 'lines').length;
      grown.push({ keys: await copyFullKey(stack, client, live, workspaces), campaigns, lines });
    }
    return grown;
  } finally {
    await client.close();
  }
};

const playedCampaign = async (stack: Stack): Promise<{ sandbox: string; live: string }> => {
  const { live, sandbox, secret } = await paidCampaign(stack, BUDGET_USD);
  for (let step = 0; step < STEPS; step += 1)
    await post(`${stack.appUrl}/api/sandbox/clock/advance`, secret, { seconds: STEP_SECONDS });
  return { sandbox, live };
};

const partsOf = async (client: MongoClient, stack: Stack, ws: string): Promise<Part[]> => {
  const parts: Part[] = [];
  for (const collected of COLLECTIONS) {
    const { service, name } = collected;
    const filter = name === 'feed_heads' ? { ws, type: { $in: OF_CAMPAIGNS } } : { ws };
    const rows = await client.db(`${stack.prefix}cds_${service}`).collection<Row>(name).find(filter).toArray();
    parts.push({ ...collected, rows });
  }
  if (!rowsOf(parts, 'metrics', 'posts').some((post) => post['figures'].still_up !== null))
    throw new Error('no post of the campaign was proved');
  return parts;
};

const rowsOf = (parts: readonly Part[], service: string, name: string): readonly Row[] =>
  parts.find((part) => part.service === service && part.name === name)?.rows ?? [];

const insertCopies = async (
  client: MongoClient,
  { prefix }: Stack,
  parts: readonly Part[],
  { from, to, numbers }: { from: string; to: string; numbers: readonly number[] },
): Promise<CopiedCampaign[]> => {
  const copies = numbers.map((number) => ({ number, ids: newIds(parts, from, to) }));
  for (const { service, name, rows, own } of parts) {
    const copied = copies.flatMap(({ ids, number }) =>
      rows.map((row) => ({ ...(copyOf(row, ids, number) as Row), ...own?.(row, number) })),
    );
    if (copied.length > 0) await client.db(`${prefix}cds_${service}`).collection<Row>(name).insertMany(copied);
  }
  const idIn = (service: string, name: string) => String(rowsOf(parts, service, name)[0]?._id);
  const [campaign, plan] = [idIn('planning', 'campaigns'), idIn('planning', 'plans')];
  const [order, receipt] = [idIn('billing', 'orders'), idIn('billing', 'receipts')];
  return copies.map(({ ids }) => ({
    campaign: renamed(campaign, ids),
    plan: renamed(plan, ids),
    order: renamed(order, ids),
    receipt: renamed(receipt, ids),
  }));
};

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
type Ids = ReadonlyMap<string, string>;

/** A new id for every document of the campaign; creators and their units keep theirs. */
const newIds = (parts: readonly Part[], from: string, to: string): Ids => {
  const ids = new Map<string, string>();
  for (const { rows } of parts)
    for (const { _id } of rows) for (const [id] of _id.matchAll(UUID)) ids.set(id, ids.get(id) ?? randomUUID());
  return ids.set(from, to);
};

const renamed = (text: string, ids: Ids): string => text.replaceAll(UUID, (id) => ids.get(id) ?? id);

const copyOf = (value: unknown, ids: Ids, number: number): unknown => {
  if (typeof value === 'string') return renamed(value, ids);
  if (value instanceof Date) return new Date(value.getTime() - number * HOUR_MS);
  if (Array.isArray(value)) return value.map((one) => copyOf(one, ids, number));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copyOf(one, ids, number)]));
};
