import { randomUUID } from 'node:crypto';
import { type Document, MongoClient } from 'mongodb';
import { type SeededWorkspace, type Stack, seedBrand, seedNetwork } from '../../../tools/lib/stack.js';

/** A plan that waits for its signature, with a key that may sign it and the value to sign. */
export type SignablePlan = { planId: string; fingerprint: string; secret: string };

/** What the measurements run on: a thousand keys, a plan in each workspace, and plans to sign. */
export type Fixture = {
  workspaces: SeededWorkspace[];
  /** Secrets that may read coverage, all of them. */
  readers: string[];
  plans: { workspace: string; planId: string; secrets: string[] }[];
  signable: SignablePlan[];
};

const BRANDS_AT_ONCE = 4;

type Started = { plan: { plan_id: string; terms_fingerprint: string } | null };

const post = async (url: string, secret: string, body: unknown): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'idempotency-key': `bench-${randomUUID()}`,
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
};

/**
 * Seeds by the system's own doors: limits are part of the product, so there are enough keys that none is met, and none is
 * switched off. Only plans to sign are copied in the database, since a workspace may start three campaigns a day.
 */
export const seedFixture = async (
  stack: Stack,
  { brands, plansEach, say }: { brands: number; plansEach: number; say: (text: string) => void },
): Promise<Fixture> => {
  say('loading 2,000 creators');
  await seedNetwork(stack, { creators: 2_000, seed: 1 });
  const workspaces: SeededWorkspace[] = [];
  for (let made = 0; made < brands; made += BRANDS_AT_ONCE) {
    say(`making ${brands * 12} keys in ${brands * 2} workspaces: ${made * 12}`);
    const some = await Promise.all(
      Array.from({ length: Math.min(BRANDS_AT_ONCE, brands - made) }, () =>
        seedBrand(stack, { name: `bench-${randomUUID().slice(0, 12)}` }),
      ),
    );
    workspaces.push(...some.flat());
  }

  const plans: Fixture['plans'] = [];
  const signable: SignablePlan[] = [];
  const client = await MongoClient.connect(stack.mongodbUri);
  const planning = client.db(`${stack.prefix}cds_planning`);
  for (const [index, workspace] of workspaces.entries()) {
    if (index % 20 === 0) say(`starting a plan in each workspace: ${index} of ${workspaces.length}`);
    const secretOf = (name: string) => workspace.keys.find((key) => key.name === name)?.secret ?? '';
    const { plan } = (await post(`${stack.apiUrl}/campaigns`, secretOf('full'), brief())) as Started;
    if (plan === null) continue;
    plans.push({
      workspace: workspace.id,
      planId: plan.plan_id,
      secrets: ['full', 'reader', 'writer', 'bare', 'muted'].map(secretOf),
    });
    const copies = await copyPlan(
      planning.collection('plans'),
      planning.collection('campaigns'),
      plan.plan_id,
      plansEach,
    );
    signable.push(
      ...copies.map((planId) => ({ planId, fingerprint: plan.terms_fingerprint, secret: secretOf('full') })),
    );
  }
  await client.close();
  return {
    workspaces,
    readers: workspaces.flatMap((one) => one.keys.map((key) => key.secret)),
    plans,
    signable: shuffle(signable),
  };
};

const brief = () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  return {
    goal: 'launch',
    product: 'Orbit',
    moment: 'It goes live',
    window_start: day(3),
    window_end: day(30),
    budget_usd: 1_000,
  };
};

type Rows = ReturnType<ReturnType<MongoClient['db']>['collection']>;

/** The fingerprint of a plan covers its lines, prices and dates, not its id: a copy is signed with the same value. */
const copyPlan = async (plans: Rows, campaigns: Rows, planId: string, count: number): Promise<string[]> => {
  const byId = (id: string) => ({ _id: id }) as unknown as Document;
  const plan = await plans.findOne(byId(planId));
  const campaign = await campaigns.findOne(byId(plan?.['campaign_id'] as string));
  if (plan === null || campaign === null || count === 0) return [];
  const copies = Array.from({ length: count }, (_none, index) => ({
    planId: randomUUID(),
    campaignId: randomUUID(),
    number: 100 + index,
  }));
  await campaigns.insertMany(
    copies.map((copy) => ({ ...campaign, _id: copy.campaignId as never, number: copy.number })),
  );
  await plans.insertMany(copies.map((copy) => ({ ...plan, _id: copy.planId as never, campaign_id: copy.campaignId })));
  return copies.map((copy) => copy.planId);
};

const shuffle = <T>(values: T[]): T[] => {
  for (let index = values.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [values[index], values[other]] = [values[other] as T, values[index] as T];
  }
  return values;
};
