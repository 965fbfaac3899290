import { setTimeout as delay } from 'node:timers/promises';
import { aCampaign, aLine, aPlan, aUnit, type Campaign, type Plan } from '@cds/planning/testing';
import { aMandate } from '@cds/service/testing';
import { type Agents, type Key, keyRight, workspaceRight } from './agents.js';
import type { World } from './world.js';

const TERMS = '2026-11-01';
/** Above every version of a right. */
const FOR_GOOD = 2 ** 31 - 1;

/** What a workspace begins with: keys, plans that await approval, drafts, and the brand terms. */
export type Workspace = { keys: Key[]; plans: Plan[]; drafts: Campaign[] };

export type Size = {
  keys: number;
  plans: number;
  linesPerPlan: number;
  drafts: number;
  /** The monthly cap of each key, in plans. */
  capPlans: number;
  /** The monthly caps of the first key's children, in plans. */
  childCapPlans: readonly number[];
  /** Whether rights end. */
  ends?: boolean;
  /** A live workspace pays real money. */
  live?: boolean;
};

export const workspaceOf = (world: World, size: Size): Workspace => {
  const { planning, billing } = world.databases;
  const ws = '00000000-0000-4000-8000-000000000001';
  const price = 10_000;
  const planCents = price * size.linesPerPlan;
  const plans: Plan[] = [];
  const drafts: Campaign[] = [];
  for (let number = 1; number <= size.plans; number += 1) {
    const units = Array.from({ length: size.linesPerPlan }, () => aUnit({ price_cents: price }));
    for (const unit of units) world.units.set(unit.unit_id, unit);
    const campaign = aCampaign({ ws, number });
    const plan = aPlan(
      campaign,
      units.map((unit) => aLine(unit)),
    );
    planning.restore('campaigns', campaign._id, { ...campaign, plan_id: plan._id });
    planning.restore('plans', plan._id, plan);
    plans.push(plan);
  }
  for (let number = 1; number <= size.drafts; number += 1) {
    const draft = aCampaign({ ws, number: size.plans + number, intent_status: 'draft' });
    planning.restore('campaigns', draft._id, draft);
    drafts.push(draft);
  }
  billing.restore('terms', TERMS, {
    _id: TERMS,
    number: 1,
    text: 'Terms',
    text_sha256: 'x',
    published_at: new Date('2026-11-01T00:00:00Z'),
  });
  const keyOf = (index: number, capPlans: number): Key => {
    const mandate = aMandate({ monthly_cap_cents: Math.round(planCents * capPlans), terms_version: TERMS });
    return {
      id: `00000000-0000-4000-8000-0000000001${index + 10}`,
      workspace: ws,
      mandate,
      sandbox: size.live !== true,
    };
  };
  const keys = Array.from({ length: size.keys }, (_none, index) => keyOf(index, size.capPlans));
  const [parent] = keys;
  if (parent === undefined) throw new Error('a workspace begins with a key');
  const children = size.childCapPlans.map((capPlans, index) => ({ ...keyOf(size.keys + index, capPlans), parent }));
  return { keys: [...keys, ...children], plans, drafts };
};

export type Act = { at: number; does: string; run: () => Promise<unknown> };

/** The actions of a random run. There are few names of Idempotency-Keys, so that requests share them. */
export const drawnActs = (
  world: World,
  agents: Agents,
  workspace: Workspace,
  spanMs: number,
  { ends = false }: Pick<Size, 'ends'>,
): Act[] => {
  const { random } = world.scheduler;
  const acts = actsOf(world, agents, workspace);
  const when = (): number => random.between(0, spanMs);
  const drawn: Act[] = [];
  const approvals = 2 + random.below(5);
  for (let one = 0; one < approvals; one += 1) {
    const key = random.one(workspace.keys);
    const then = random.chance(0.5) ? 'paid' : null;
    drawn.push(acts.approve(when(), key, random.one(workspace.plans), `approve-${random.below(approvals)}`, then));
  }
  for (const draft of workspace.drafts) {
    const key = random.one(workspace.keys);
    if (random.chance(0.4)) drawn.push(acts.remove(when(), key, draft, `delete-${random.below(2)}`));
    if (random.chance(0.3)) drawn.push(acts.rename(when(), key, draft, `rename-${random.below(2)}`));
  }
  if (random.chance(0.4)) drawn.push(acts.edit(when(), random.one(workspace.keys), random.one(workspace.plans)));
  if (random.chance(0.3)) drawn.push(acts.priceMove(when()));
  if (random.chance(0.3)) drawn.push(acts.mandate(when(), random.one(workspace.keys)));
  if (random.chance(0.15)) drawn.push(acts.closePayments(when()));
  if (random.chance(0.15)) drawn.push(acts.publishTerms(when()));
  if (ends) drawn.push(acts.revoke(when(), random.one(workspace.keys)));
  const expiring = ends && random.chance(0.5) ? workspace.keys.find(({ parent }) => parent === undefined) : undefined;
  if (expiring !== undefined) expiring.until = new Date(world.scheduler.date().getTime() + when());
  if (ends && random.chance(0.5)) drawn.push(acts.suspend(when()));
  return drawn;
};

export const actsOf = (world: World, agents: Agents, workspace: Workspace) => {
  const { scheduler } = world;
  const { random } = scheduler;
  const ended = (key: Key, right: string, below: number): Promise<void> =>
    agents.internal(key, 'gate_raise', { workspace: key.workspace, key_id: key.id, ended: { [right]: below } });
  return {
    approve: (at: number, key: Key, plan: Plan, name: string, then: 'paid' | null = null): Act => ({
      at,
      does: `approve ${workspace.plans.indexOf(plan)} as ${name}`,
      run: async () => {
        const input = { id: plan._id, terms_fingerprint: plan.terms_fingerprint };
        const answer = await agents.write(key, 'approve_plan', input, name);
        if (answer.code !== 'ok' || then === null) return;
        const id = orderOf(answer.body);
        await agents.write(key, 'sandbox_order_payment', { id, outcome: then }, `pay-${name}`);
      },
    }),
    remove: (at: number, key: Key, draft: Campaign, name: string): Act => ({
      at,
      does: `delete as ${name}`,
      run: () => agents.write(key, 'delete_campaign', { id: draft._id }, name),
    }),
    rename: (at: number, key: Key, draft: Campaign, name: string): Act => ({
      at,
      does: `rename as ${name}`,
      run: () => agents.write(key, 'rename_campaign', { id: draft._id, name: `Renamed ${random.below(100)}` }, name),
    }),
    edit: (at: number, key: Key, plan: Plan): Act => ({
      at,
      does: 'a line is removed',
      run: () =>
        agents.write(
          key,
          'plan_remove_creator',
          { id: plan._id, line_id: random.one(plan.lines).id },
          `edit-${random.below(2)}`,
        ),
    }),
    priceMove: (at: number): Act => ({
      at,
      does: 'a price moves',
      run: async () => {
        const unit = random.one([...world.units.values()]);
        world.units.set(unit.unit_id, { ...unit, price_cents: unit.price_cents + 100 * (1 + random.below(5)) });
      },
    }),
    mandate: (at: number, of: Key): Act => ({
      at,
      does: 'a mandate is edited',
      run: async () => {
        const key = of.parent ?? of; // A child's own never changes.
        const version = key.mandate.version + 1;
        const cap = Math.round(key.mandate.monthly_cap_cents * random.between(0.3, 1.2));
        const next = { ...key.mandate, version, monthly_cap_cents: cap };
        // The gateway commits the version, raises the gate, then answers (docs/reliability.md#authority).
        key.mandate = next;
        await agents.internal(key, 'gate_raise', { workspace: key.workspace, key_id: key.id, version });
        world.answered.mandates.set(key.id, version);
        scheduler.note(() => `the gate of ${key.id.slice(-2)} is at ${version}`);
      },
    }),
    revoke: (at: number, key: Key): Act => ({
      at,
      does: 'a key is revoked',
      run: async () => {
        // The gateway commits the revocation, raises the gate, then answers (docs/reliability.md#ended-rights).
        key.revoked = true;
        await ended(key.parent ?? key, keyRight(key), FOR_GOOD);
        world.answered.ends.set(keyRight(key), FOR_GOOD);
        scheduler.note(() => `the revocation of ${key.id.slice(-2)} is answered`);
      },
    }),
    suspend: (at: number): Act => ({
      at,
      does: 'the workspace is suspended for a moment',
      run: async () => {
        agents.suspensions += 1;
        const version = agents.suspensions;
        const documents = workspace.keys.filter(({ parent }) => parent === undefined);
        for (const key of documents) await ended(key, workspaceRight(key), version);
        for (const key of documents) world.answered.ends.set(workspaceRight(key), version);
        scheduler.note(() => `the suspension ${version} is answered`);
      },
    }),
    closePayments: (at: number): Act => ({
      at,
      does: 'payments are closed for a while',
      run: async () => {
        agents.paymentsOpen = false;
        await delay(random.between(50, 2_000));
        agents.paymentsOpen = true;
      },
    }),
    publishTerms: (at: number): Act => ({
      at,
      does: 'new terms are published',
      run: async () => {
        const [key] = workspace.keys;
        if (key === undefined) return;
        await agents.internal(key, 'terms_publish', { version: '2026-11-20', number: 2, text: 'New terms' });
      },
    }),
  };
};

export const orderOf = (body: unknown): string => (body as { order_id: string }).order_id;
