import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { newKey, storedSecret } from '@cds/gateway/bench';
import { type Terms, withFingerprint } from '@cds/planning/bench';
import { type Document, MongoClient } from 'mongodb';
import { type SeededWorkspace, type Stack, seedBrand, seedNetwork } from '../../../tools/lib/stack.js';
import { requestBytes } from './http-load.js';
import { say } from './settings.js';

export type Reader = { workspace: string; secret: string };

export type SignablePlan = Copied & { secret: string };
type Copied = { planId: string; fingerprint: string };

/** A plan of about twenty lines, one of which is swapped back and forth between two units with two keys in turn. */
export type EditablePlan = { planId: string; lineId: string; units: string[]; secrets: string[]; edits: number };

/** A long plan in each of many workspaces, with the keys that may read it, and copies of a short one to sign. */
export type Plans = {
  readable: { planId: string; secrets: string[] }[];
  editable: EditablePlan[];
  signable: SignablePlan[];
};

export const plansOf = ({ plans }: { plans: Plans | null }): Plans => {
  if (plans === null) throw new Error('this scenario needs plans, but none were seeded');
  return plans;
};

export const getRequest = (stack: Stack, path: string, secret: string): Buffer =>
  requestBytes('GET', path, { host: new URL(stack.appUrl).host, authorization: `Bearer ${secret}` });

const NETWORK = { creators: 2_000, seed: 1 };
const BRANDS_AT_ONCE = 4;
const WORKSPACES = 2;

type Started = {
  plan: {
    plan_id: string;
    terms_fingerprint: string;
    lines: { id: string; unit_id: string; creator_id: string; price_cents: number }[];
  } | null;
  no_plan: { reason: string } | null;
};

/** How long catalog may take to hear of a new workspace's audience, without which no plan is built. */
const AUDIENCE_MS = 30_000;
const LOOK_EVERY_MS = 50;

/** Budgets in dollars that buy about ten lines to sign, and about twenty to read and to edit. */
const SHORT_PLAN_USD = 1_000;
const LONG_PLAN_USD = 2_200;

export const post = async (url: string, secret: string, body: unknown): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'idempotency-key': `bench-${randomUUID()}`,
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${url} responded ${response.status}: ${await response.text()}`);
  return response.json();
};

/** Seeds the network, and copies of a live workspace with one key each: enough that no limit is reached. */
export const seedReaders = async (stack: Stack, count: number): Promise<Reader[]> => {
  say('loading 2,000 creators');
  await seedNetwork(stack, NETWORK);
  const [live] = await seedBrand(stack, { name: `bench-${randomUUID().slice(0, 12)}` });
  if (live === undefined) throw new Error('the brand has no live workspace');

  say(`creating ${count} read-only workspaces`);
  const client = await MongoClient.connect(stack.mongodbUri);
  const rows = (service: string, name: string) =>
    client.db(`${stack.prefix}cds_${service}`).collection<Document & { _id: string }>(name);
  const context = await rows('catalog', 'contexts').findOne({ _id: live.id });
  if (context === null) throw new Error('the brand has no audience');
  const workspaces = Array.from({ length: count }, () => randomUUID());
  const readers = await copyFullKey(stack, client, live.id, workspaces);
  await rows('catalog', 'contexts').insertMany(workspaces.map((_id) => ({ ...context, _id })));
  await client.close();
  return readers;
};

/** Copies the full key of a live workspace into others, with new secrets, once for each time one is named. */
export const copyFullKey = async (
  stack: Stack,
  client: MongoClient,
  of: string,
  workspaces: readonly string[],
): Promise<Reader[]> => {
  const keys = client.db(`${stack.prefix}cds_gateway`).collection<Document & { _id: string }>('keys');
  const key = await keys.findOne({ ws: of, name: 'full' });
  if (key === null) throw new Error('the brand has no key');
  const peppers = peppersOf(stack);
  const made = workspaces.map((workspace) => ({ workspace, key: newKey(false) }));
  await keys.insertMany(
    made.map(({ workspace, key: { publicId, secret } }) => ({
      ...key,
      _id: publicId,
      key_id: randomUUID(),
      ws: workspace,
      reads_ws: workspace,
      secret_hmac: storedSecret(peppers, secret),
    })),
  );
  return made.map(({ workspace, key: { text } }) => ({ workspace, secret: text }));
};

export const peppersOf = (stack: Stack): Record<string, KeyObject> => {
  const { key_peppers: peppers } = JSON.parse(readFileSync(join(stack.home, 'secrets.json'), 'utf8')) as {
    key_peppers: Record<string, string>;
  };
  return Object.fromEntries(
    Object.entries(peppers).map(([version, text]) => [version, createSecretKey(Buffer.from(text, 'base64'))]),
  );
};

/** Seeds plans through the API. Those to sign are copied, because a workspace starts only three campaigns a day. */
export const seedPlans = async (stack: Stack, brands: number, plansEach: number): Promise<Plans> => {
  const workspaces: SeededWorkspace[] = [];
  for (let made = 0; made < brands; made += BRANDS_AT_ONCE) {
    say(`creating workspaces with plans: ${made * WORKSPACES} of ${brands * WORKSPACES}`);
    const some = await Promise.all(
      Array.from({ length: Math.min(BRANDS_AT_ONCE, brands - made) }, () =>
        seedBrand(stack, { name: `bench-${randomUUID().slice(0, 12)}` }),
      ),
    );
    workspaces.push(...some.flat());
  }

  const readable: Plans['readable'] = [];
  const editable: EditablePlan[] = [];
  const signable: SignablePlan[] = [];
  const client = await MongoClient.connect(stack.mongodbUri);
  for (const [index, workspace] of workspaces.entries()) {
    if (index % 20 === 0) say(`starting plans: workspace ${index} of ${workspaces.length}`);
    const secretOf = (name: string) => workspace.keys.find((key) => key.name === name)?.secret ?? '';
    await hasAudience(stack, secretOf('full'));
    const start = async (usd: number) => {
      const started = await post(`${stack.apiUrl}/campaigns`, secretOf('full'), briefOf(usd));
      const { plan, no_plan } = started as Started;
      if (plan === null) throw new Error(`a campaign started without a plan: ${no_plan?.reason}`);
      return plan;
    };
    // Every other brand signs: a plan next to so many copies of another would look at all of them.
    if (Math.floor(index / WORKSPACES) % 2 === 1) {
      const copies = await copyPlan(stack, client, (await start(SHORT_PLAN_USD)).plan_id, plansEach);
      signable.push(...copies.map((copy) => ({ ...copy, secret: secretOf('full') })));
      continue;
    }
    const long = await start(LONG_PLAN_USD);
    readable.push({ planId: long.plan_id, secrets: ['full', 'reader', 'writer', 'bare', 'muted'].map(secretOf) });
    const [mostExpensive] = [...long.lines].sort((one, other) => other.price_cents - one.price_cents);
    editable.push({
      planId: long.plan_id,
      lineId: mostExpensive?.id ?? '',
      units: await unitsBeside(stack, long.lines, secretOf('full')),
      secrets: ['full', 'writer'].map(secretOf),
      edits: 0,
    });
  }
  await client.close();
  return { readable, editable, signable: shuffle(signable) };
};

const hasAudience = async (stack: Stack, secret: string): Promise<void> => {
  for (const end = performance.now() + AUDIENCE_MS; performance.now() < end; await delay(LOOK_EVERY_MS)) {
    const response = await fetch(`${stack.apiUrl}/inventory`, { headers: { authorization: `Bearer ${secret}` } });
    if (response.ok && ((await response.json()) as { segments: unknown[] }).segments.length > 0) return;
  }
  throw new Error(`catalog does not know the audience of a new workspace after ${AUDIENCE_MS / 1_000} s`);
};

const unitsBeside = async (
  stack: Stack,
  lines: readonly { creator_id: string }[],
  secret: string,
): Promise<string[]> => {
  const response = await fetch(`${stack.apiUrl}/creators?sort=price&dir=asc&format=quote&price_max=300&limit=50`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  const { creators } = (await response.json()) as {
    creators: { id: string; offerings: { unit_id: string; buyable: boolean; format: string }[] }[];
  };
  const taken = new Set(lines.map((line) => line.creator_id));
  return creators
    .filter(({ id }) => !taken.has(id))
    .flatMap(({ offerings }) => offerings.find(({ buyable, format }) => buyable && format === 'quote')?.unit_id ?? [])
    .slice(0, 2);
};

/** A sandbox of a new brand with one campaign that was just paid, its key, and the brand's live workspace. */
export const paidCampaign = async (stack: Stack, budgetUsd: number, startsInDays?: number) => {
  const workspaces = await seedBrand(stack, { name: `bench-${randomUUID().slice(0, 12)}` });
  const [live, sandbox] = ['live', 'sandbox'].map((kind) => workspaces.find((one) => one.kind === kind));
  const secret = sandbox?.keys.find((key) => key.name === 'full')?.secret ?? '';
  const started = await post(`${stack.apiUrl}/campaigns`, secret, briefOf(budgetUsd, startsInDays));
  const { id, plan } = started as { id: string } & Started;
  const approved = await post(`${stack.apiUrl}/plans/${plan?.plan_id}/approve`, secret, {
    terms_fingerprint: plan?.terms_fingerprint,
  });
  const { order_id: orderId } = approved as { order_id: string };
  await post(`${stack.appUrl}/api/sandbox/orders/${orderId}/payment`, secret, { outcome: 'paid' });
  return { live: live?.id ?? '', sandbox: sandbox?.id ?? '', secret, campaignId: id, orderId };
};

const briefOf = (budgetUsd: number, startsInDays = 3) => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  return {
    goal: 'launch',
    product: 'Orbit',
    moment: 'It goes live',
    window_start: day(startsInDays),
    window_end: day(30),
    budget_usd: budgetUsd,
  };
};

type PlanRow = Terms & { _id: string; ws: string; campaign_id: string; version: number };

/** Copies a plan with its campaign, as if each had been started by itself: with lines and a version in the feed. */
const copyPlan = async (stack: Stack, client: MongoClient, planId: string, count: number): Promise<Copied[]> => {
  const rows = <T extends { _id: string } = Document & { _id: string }>(service: string, name: string) =>
    client.db(`${stack.prefix}cds_${service}`).collection<T>(name);
  const plan = (await rows<PlanRow>('planning', 'plans').findOne({ _id: planId })) as PlanRow | null;
  const campaign = await rows('planning', 'campaigns').findOne({ _id: plan?.campaign_id ?? '' });
  if (plan === null || campaign === null) throw new Error('the plan to copy is missing');
  const campaigns = Array.from({ length: count }, (_none, index) => ({
    ...campaign,
    _id: randomUUID() as string,
    number: 100 + index,
  }));
  const plans = campaigns.map((own) =>
    withFingerprint<PlanRow>({
      ...plan,
      _id: randomUUID(),
      campaign_id: own._id,
      lines: plan.lines.map((line) => ({ ...line, id: randomUUID() })),
    }),
  );
  await rows('planning', 'campaigns').insertMany(campaigns);
  await rows('planning', 'plans').insertMany(plans);
  // The feed takes a version after the one before it, or waits for that one.
  const { ws, version } = plan;
  await rows('gateway', 'feed_heads').insertMany(
    plans.map(({ _id }) => ({ _id: `${ws}|plan|${_id}`, ws, type: 'plan', version, at: new Date() })),
  );
  return plans.map(({ _id, terms_fingerprint }) => ({ planId: _id, fingerprint: terms_fingerprint }));
};

const shuffle = <T>(values: T[]): T[] => {
  for (let index = values.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [values[index], values[other]] = [values[other] as T, values[index] as T];
  }
  return values;
};
