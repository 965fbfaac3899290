import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { CampaignStarted, CampaignSummary, OperationName, PlanApproved, Quote } from '@cds/contracts';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { type Door, errorOf, type Told } from '../doors.js';
import { anIdempotencyKey } from '../stack.js';
import {
  addDays,
  type Campaign,
  fingerprintOf,
  type Goal,
  type Key,
  type Line,
  type Plan,
  type Reference,
  type Refused,
  totalOf,
  type Unit,
} from './reference.js';
import type { Workspace } from './workspace.js';

/** What one run drives: the sandbox, what it did so far, and what every outcome of the whole suite was counted as. */
export type Real = {
  workspace: Workspace;
  clock: { now: () => Date };
  trace: string[];
  outcomes: Map<string, number>;
  steps: { done: number };
};

/** Numbers pick out of what stands when the step runs, so that a step means something wherever it is put. */
type Choice = number;
type By = { door: Door['name']; key: Key };
type Action =
  | { do: 'create'; by: By; goal: Goal; moment: number; start: number; length: number; budgetUsd: number }
  | { do: 'add'; by: By; plan: Choice | 'current' | 'foreign'; unit: UnitPick; day: number | null }
  | { do: 'swap'; by: By; plan: Choice; line: Choice | 'foreign'; unit: UnitPick }
  | { do: 'remove'; by: By; plan: Choice; line: Choice | 'foreign' }
  | { do: 'dates'; by: By; plan: Choice | 'foreign'; start: number; length: number }
  | { do: 'rename'; by: By; campaign: Choice; name: string }
  | { do: 'guidelines'; by: By; campaign: Choice; pitch: string; dos: string[] }
  | { do: 'delete'; by: By; campaign: Choice }
  | { do: 'archive'; campaign: Choice; archived: boolean }
  | { do: 'budget'; campaign: Choice; cents: (lines: readonly Line[]) => number }
  | { do: 'price'; unit: UnitPick; cents: number | 'off_sale' | 'on_sale' | 'clear' }
  | { do: 'approve'; by: By; plan: Choice; fingerprint: 'current' | 'other' }
  | { do: 'quote'; by: By; plan: Choice }
  | { do: 'advance'; days: number };
/** The actions of some kinds. */
type Of<Kind extends Action['do']> = Extract<Action, { do: Kind }>;
type UnitPick = { from: 'network' | 'cheap' | 'plan' | 'foreign'; at: Choice };

/** The last write of a key, for sending it again by the other door. */
type Sent = { by: By; operation: OperationName; input: Record<string, unknown>; idempotencyKey: string; told: Told };

/** How many of the network's cheapest units are picked from when a unit should fit. */
const CHEAP = 40;

const at = <T>(items: readonly T[], pick: Choice): T | undefined => items[pick % Math.max(1, items.length)];

/** One drawn write or read: the reference says how it must end, the system ends it, and the two are compared. */
export class Step implements fc.AsyncCommand<Reference, Real> {
  constructor(
    private readonly action: Action,
    private readonly again: boolean,
  ) {}

  check = (model: Readonly<Reference>): boolean => {
    const { action } = this;
    if (action.do === 'create') return true;
    if (action.do === 'advance') return model.mayAdvance(action.days);
    if (action.do === 'add') return action.plan === 'current' || action.plan === 'foreign' || model.plans.length > 0;
    if (action.do === 'price') return true;
    return 'plan' in action ? action.plan === 'foreign' || model.plans.length > 0 : model.campaigns.length > 0;
  };

  async run(model: Reference, real: Real): Promise<void> {
    real.trace.push(this.toString());
    real.steps.done += 1;
    try {
      const sent = await new Playing(model, real).play(this.action);
      if (this.again && sent !== null) await playAgain(real, sent);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      throw new Error(`${said}\n\nafter\n  ${real.trace.join('\n  ')}`, { cause: error });
    }
  }

  toString(): string {
    const { do: what, ...rest } = this.action;
    return `${what} ${JSON.stringify(rest)}${this.again ? ' and again' : ''}`;
  }
}

/** Sends a write again under its key by the other door: the first answer comes back, and nothing happens (I02, I10). */
const playAgain = async (
  { workspace, trace }: Real,
  { by, operation, input, idempotencyKey, told }: Sent,
): Promise<void> => {
  const other = {
    ...by,
    door: operation === 'delete_campaign' || by.door === 'MCP' ? ('REST' as const) : ('MCP' as const),
  };
  const again = await workspace.call(other, operation, input, idempotencyKey);
  trace.push(`  again ${again.status} replayed ${again.replayed}`);
  const stored = told.status < 300 || [403, 409, 422].includes(told.status);
  if (!stored) return;
  expect({ status: again.status, value: again.value }).toEqual({ status: told.status, value: told.value });
  expect(again.replayed).toBe(true);
};

class Playing {
  constructor(
    private readonly model: Reference,
    private readonly real: Real,
  ) {}

  async play(action: Action): Promise<Sent | null> {
    switch (action.do) {
      case 'create':
        return this.create(action);
      case 'add':
        return this.add(action);
      case 'swap':
        return this.swap(action);
      case 'remove':
        return this.remove(action);
      case 'dates':
        return this.dates(action);
      case 'rename':
      case 'guidelines':
      case 'delete':
        return this.ofCampaign(action);
      case 'archive':
      case 'budget':
        return this.byPerson(action);
      case 'price':
        return this.price(action);
      case 'approve':
        return this.approve(action);
      case 'quote':
        return this.quote(action);
      case 'advance':
        return this.advance(action.days);
    }
  }

  private async create({ by, goal, moment, start, length, budgetUsd }: Of<'create'>): Promise<Sent> {
    const [first, last] = [addDays(this.model.today, start), addDays(this.model.today, start + length)];
    const refused = this.model.create(by.key);
    const offset = Math.min(moment, length);
    const sent = await this.send(by, 'create_campaign', {
      goal,
      product: 'A tool for founders',
      moment: `It goes live on ${addDays(first, offset)}`,
      window_start: first,
      window_end: last,
      budget_usd: budgetUsd,
    });
    if (this.compare('create', sent.told, refused, 201)) return sent;

    const value = sent.told.value as CampaignStarted;
    const budgetCents = Math.round(budgetUsd * 100);
    expect(value).toMatchObject({ budget_cents: budgetCents, display_name: 'A tool for founders' });
    const campaign = this.model.started({
      id: value.id,
      goal,
      name: value.campaign,
      displayName: value.display_name,
      budgetCents,
    });
    expect(value.stage_id).toBe(value.plan === null ? 'draft' : 'plan_ready');
    expect(value.no_plan === null).toBe(value.plan !== null);
    if (value.plan === null) {
      expect(budgetUsd).toBeLessThan(100);
      expect(value.no_plan?.reason).toBe('budget_too_small');
      return sent;
    }
    campaign.plan = this.built(value.plan, campaign, { start: first, end: last, moment: offset });
    this.compareQuote(by.key, campaign.plan, value.plan);
    return sent;
  }

  /** Takes over what the builder chose, which the page leaves to it, once it keeps the page's bounds (2-plans 9, property 1). */
  private built(quote: Quote, campaign: Campaign, window: Pick<Plan, 'start' | 'end' | 'moment'>): Plan {
    const lines = quote.lines.map((line): Line => {
      const unit: Unit = this.model.unit(line.unit_id ?? '') ?? {
        id: line.unit_id ?? '',
        creator: line.creator_id ?? '',
        format: line.format ?? '',
        priceCents: line.price_cents,
        buyable: true,
      };
      if (this.model.unit(unit.id) === undefined) this.model.units.set(unit.id, unit);
      expect(line).toMatchObject({ price_cents: unit.priceCents, creator_id: unit.creator, on_sale: true });
      expect(unit.buyable).toBe(true);
      return {
        id: line.id,
        unit: unit.id,
        creator: unit.creator,
        format: unit.format,
        priceCents: line.price_cents,
        date: line.scheduled_date,
      };
    });
    const plan: Plan = { id: quote.plan_id, campaign, version: 1, signed: false, ...window, lines };
    expect(totalOf(lines)).toBeLessThanOrEqual(Math.min(campaign.budgetCents ?? 0, 2_500_000));
    const first = this.model.firstDay(plan);
    for (const line of lines) expect(line.date >= first && line.date <= plan.end).toBe(true);
    const posts =
      campaign.goal === 'program'
        ? lines.map((line) => `${line.creator} ${line.date}`)
        : lines.map((line) => line.creator);
    expect(new Set(posts).size).toBe(lines.length);
    return plan;
  }

  private async add({ by, plan: which, unit: picked, day }: Of<'add'>): Promise<Sent> {
    const plan =
      which === 'current' ? this.model.current() : which === 'foreign' ? undefined : at(this.model.plans, which);
    const unit = this.unitOf(picked, plan);
    const date = day === null ? undefined : addDays(plan?.start ?? addDays(this.model.today, 3), day);
    const expected =
      plan !== undefined
        ? this.model.add(by.key, plan, unit, date)
        : which === 'current'
          ? this.model.startWith(by.key, unit, date)
          : { refused: { status: 404, code: 'not_found' } };
    const id = which === 'current' ? 'current' : (plan?.id ?? randomUUID());
    const sent = await this.send(by, 'plan_add_creator', {
      id,
      unit_id: unit,
      ...(date === undefined ? {} : { scheduled_date: date }),
    });
    if (this.compare('add', sent.told, 'refused' in expected ? expected.refused : null, 201) || 'refused' in expected)
      return sent;

    const value = sent.told.value as { line_id: string; plan: Quote };
    const target = plan ?? this.startedWith(value.plan, 'plan' in expected ? (expected.plan as Plan) : undefined);
    this.model.applyLines(target, [...target.lines, { ...expected.line, id: value.line_id }]);
    this.compareQuote(by.key, target, value.plan);
    return sent;
  }

  private startedWith(quote: Quote, fresh: Plan | undefined): Plan {
    if (fresh === undefined) throw new Error('an add to current started nothing');
    const campaign = this.model.started({ ...fresh.campaign, id: quote.campaign_id, name: '', displayName: '' });
    const plan: Plan = { ...fresh, id: quote.plan_id, campaign };
    campaign.plan = plan;
    return plan;
  }

  private async swap({ by, plan: which, line: place, unit: picked }: Of<'swap'>): Promise<Sent> {
    const plan = at(this.model.plans, which);
    const removed = place === 'foreign' ? undefined : at(plan?.lines ?? [], place);
    const unit = this.unitOf(picked, plan);
    const expected = this.model.swap(by.key, plan, removed, unit);
    const sent = await this.send(by, 'plan_swap_creator', {
      id: plan?.id,
      line_id: removed?.id ?? randomUUID(),
      unit_id: unit,
    });
    if (
      this.compare('swap', sent.told, 'refused' in expected ? expected.refused : null) ||
      'refused' in expected ||
      plan === undefined
    )
      return sent;

    const value = sent.told.value as { line_id: string; removed_line_id: string; plan: Quote };
    expect(value.removed_line_id).toBe(removed?.id);
    if (
      totalOf(value.plan.lines.map((line) => ({ priceCents: line.price_cents }))) >
      (plan.campaign.budgetCents ?? Number.POSITIVE_INFINITY)
    )
      this.count('swap past_the_budget');
    this.model.applyLines(
      plan,
      plan.lines.map((line) => (line === removed ? { ...expected.line, id: value.line_id } : line)),
    );
    this.compareQuote(by.key, plan, value.plan);
    return sent;
  }

  private async remove({ by, plan: which, line: place }: Of<'remove'>): Promise<Sent> {
    const plan = at(this.model.plans, which);
    const line = place === 'foreign' ? undefined : at(plan?.lines ?? [], place);
    const refused = this.model.remove(by.key, plan, line);
    const sent = await this.send(by, 'plan_remove_creator', { id: plan?.id, line_id: line?.id ?? randomUUID() });
    if (this.compare('remove', sent.told, refused) || plan === undefined) return sent;

    const value = sent.told.value as { removed_line_id: string; plan: Quote };
    expect(value.removed_line_id).toBe(line?.id);
    this.model.applyLines(
      plan,
      plan.lines.filter((one) => one !== line),
    );
    this.compareQuote(by.key, plan, value.plan);
    return sent;
  }

  private async dates({ by, plan: which, start, length }: Of<'dates'>): Promise<Sent> {
    const plan = which === 'foreign' ? undefined : at(this.model.plans, which);
    const [first, last] = [addDays(this.model.today, start), addDays(this.model.today, start + length)];
    const expected = this.model.dates(by.key, plan, first, last);
    const sent = await this.send(by, 'plan_move_dates', { id: plan?.id ?? randomUUID(), start: first, end: last });
    if (
      this.compare('dates', sent.told, 'refused' in expected ? expected.refused : null) ||
      'refused' in expected ||
      plan === undefined
    )
      return sent;

    const value = sent.told.value as { lines_moved: number; plan: Quote };
    expect(value.lines_moved).toBe(expected.moved);
    this.compareQuote(by.key, plan, value.plan);
    return sent;
  }

  private async ofCampaign(action: Of<'rename' | 'guidelines' | 'delete'>): Promise<Sent> {
    const named = at(this.model.campaigns, action.campaign);
    const campaign = named?.deleted === true ? undefined : named;
    const id = named?.id ?? '';
    const { by } = action;
    if (action.do === 'rename') {
      const sent = await this.send(by, 'rename_campaign', { id, name: action.name });
      const refused = this.model.rename(by.key, campaign, action.name);
      if (!this.compare('rename', sent.told, refused))
        expect(sent.told.value).toEqual({ id, campaign: action.name, display_name: action.name });
      return sent;
    }
    if (action.do === 'guidelines') {
      const sent = await this.send(by, 'set_creator_guidelines', { id, pitch: action.pitch, dos: action.dos });
      const all = { pitch: action.pitch, key_messages: [], references: [], voice: '', dos: action.dos, donts: [] };
      if (!this.compare('guidelines', sent.told, this.model.guidelines(by.key, campaign)))
        expect(sent.told.value).toEqual({ campaign_id: id, creator_guidelines: all });
      return sent;
    }
    // The tool server has no tool of this name.
    const sent = await this.send({ ...by, door: 'REST' }, 'delete_campaign', { id });
    if (!this.compare('delete', sent.told, this.model.delete(by.key, campaign)))
      expect(sent.told.value).toEqual({ id, deleted: true });
    return sent;
  }

  private async byPerson(action: Of<'archive' | 'budget'>): Promise<null> {
    const named = at(this.model.campaigns, action.campaign);
    const campaign = named?.deleted === true ? undefined : named;
    const now = this.real.clock.now();
    const { workspace } = this.real;
    if (action.do === 'archive') {
      const operation = action.archived ? 'campaign_archive' : 'campaign_unarchive';
      const told = await workspace.desk('person', now, operation, { id: named?.id });
      if (!this.compare(operation, told, this.model.archive(campaign, action.archived)))
        expect((told.value as CampaignSummary).archived_at !== null).toBe(action.archived);
      return null;
    }
    // A draft that could afford a plan would get one by itself, at a moment of its own: it stays at a cent.
    const cents = campaign?.plan ? Math.max(1, action.cents(campaign.plan.lines)) : 1;
    const told = await workspace.desk('person', now, 'campaign_budget_set', { id: named?.id, budget_usd: cents / 100 });
    if (this.compare('budget', told, this.model.budget(campaign, cents)) || campaign === undefined) return null;
    if (campaign.plan === null) expect(told.value).toBeNull();
    else this.compareQuote('person', campaign.plan, told.value as Quote);
    return null;
  }

  private async price({ unit: picked, cents }: Of<'price'>): Promise<null> {
    const unit = this.unitOf(picked, at(this.model.plans, picked.at));
    const known = this.model.unit(unit) !== undefined;
    const operation = cents === 'clear' ? 'sandbox_unit_clear' : 'sandbox_unit_set';
    const change =
      cents === 'clear' ? null : typeof cents === 'number' ? { priceCents: cents } : { offSale: cents === 'off_sale' };
    const input = {
      ...(change !== null && 'priceCents' in change && { price_cents: change.priceCents }),
      ...(change !== null && 'offSale' in change && { off_sale: change.offSale }),
    };
    const { workspace, clock } = this.real;
    const told = await workspace.desk('key', clock.now(), operation, { unit_id: unit, ...input });
    if (!this.compare('price', told, known ? null : { status: 404, code: 'not_found' }))
      this.model.override(unit, change);
    return null;
  }

  private async approve({ by, plan: which, fingerprint }: Of<'approve'>): Promise<Sent> {
    const plan = at(this.model.plans, which);
    const sends = fingerprint === 'other' || plan === undefined ? 'x'.repeat(43) : fingerprintOf(plan);
    const before = plan?.version ?? 0;
    const { refused, repriced } = this.model.approve(by.key, plan, sends);
    const sent = await this.send(by, 'approve_plan', { id: plan?.id ?? randomUUID(), terms_fingerprint: sends });
    if (this.compare(repriced ? 'approve repriced' : 'approve', sent.told, refused)) {
      if (plan !== undefined && refused?.reason === 'terms_changed') {
        expect(errorOf(sent.told)?.details?.['terms_fingerprint']).toBe(fingerprintOf(plan));
        expect(plan.version).toBe(repriced ? before + 1 : before);
      }
      return sent;
    }
    const value = sent.told.value as PlanApproved;
    expect(value).toMatchObject({
      plan_id: plan?.id,
      status: 'approved',
      order: { total_cents: totalOf(plan?.lines ?? []), payment_state: 'unpaid' },
    });
    if (plan !== undefined) this.compareQuote(by.key, plan, value.plan);
    return sent;
  }

  private async quote({ by, plan: which }: Of<'quote'>): Promise<null> {
    const plan = at(this.model.plans, which);
    if (plan !== undefined) await this.readQuote(by, plan);
    return null;
  }

  private async advance(days: number): Promise<null> {
    const told = await this.real.workspace.sandbox('sandbox_clock_advance', { seconds: days * 86_400 });
    this.compare('advance', told, null);
    this.model.today = addDays(this.model.today, days);
    expect((told.value as { now: string }).now.slice(0, 10)).toBe(this.model.today);
    return null;
  }

  /** At the end of a run everything that it made reads as the reference has it. */
  async readAll(): Promise<void> {
    const by: By = { door: 'REST', key: 'full' };
    const told = await this.real.workspace.call(by, 'campaigns_list', { include_archived: true });
    const { campaigns } = told.value as { campaigns: CampaignSummary[] };
    const kept = this.model.campaigns.filter((one) => !one.deleted);
    const shown = new Map(campaigns.map((one) => [one.id, one]));
    expect(new Set(shown.keys())).toEqual(new Set(kept.map((one) => one.id)));
    for (const campaign of kept) {
      const row = shown.get(campaign.id);
      const stage = this.model.stage(campaign);
      expect(row).toMatchObject({
        stage_id: stage,
        ...(campaign.displayName !== '' && { display_name: campaign.displayName }),
        // Every order here is unpaid, so that a signed plan waits for its payment as one awaiting approval does for that.
        waits_on_you: stage !== 'draft' && !campaign.archived,
      });
      expect(row?.stage === 'Archived').toBe(campaign.archived);
      if (campaign.plan !== null) await this.readQuote(by, campaign.plan);
    }
  }

  private async readQuote(by: By, plan: Plan): Promise<void> {
    const told = await this.real.workspace.call(by, 'plan_quote', { id: plan.id });
    this.compare('quote', told, null);
    this.compareQuote(by.key, plan, told.value as Quote);
  }

  private async send(by: By, operation: OperationName, input: Record<string, unknown>): Promise<Sent> {
    const idempotencyKey = anIdempotencyKey();
    const told = await this.real.workspace.call(by, operation, input, idempotencyKey);
    return { by, operation, input, idempotencyKey, told };
  }

  private unitOf(picked: UnitPick, plan: Plan | undefined): string {
    if (picked.from === 'foreign') return randomUUID();
    const cheap = [...this.model.units.values()].filter((one) => one.buyable).slice(0, CHEAP);
    if (picked.from === 'cheap') return at(cheap, picked.at)?.id ?? '';
    const onPlan = picked.from === 'plan' ? at(plan?.lines ?? [], picked.at)?.unit : undefined;
    return onPlan ?? at([...this.model.units.keys()], picked.at) ?? '';
  }

  private count(outcome: string): void {
    this.real.outcomes.set(outcome, (this.real.outcomes.get(outcome) ?? 0) + 1);
  }

  /** Whether it was refused; either way it ended as the reference says, numbers included. */
  private compare(what: string, told: Told, refused: Refused | null, success = 200): boolean {
    const error = errorOf(told);
    const reason = error?.details?.['reason'] ?? error?.code ?? 'done';
    this.count(`${what} ${String(reason)}`);
    this.real.trace.push(`  ${told.status} ${String(reason)}`);
    if (refused === null) {
      expect({ status: told.status, error }).toEqual({ status: success, error: undefined });
      return false;
    }
    expect({ status: told.status, code: error?.code, reason: error?.details?.['reason'] }).toEqual({
      status: refused.status,
      code: refused.code,
      reason: refused.reason,
    });
    for (const [name, value] of Object.entries(refused.numbers ?? {}))
      if (!isDeepStrictEqual(error?.details?.[name], value))
        expect({ [name]: error?.details?.[name] }).toEqual({ [name]: value });
    return true;
  }

  private compareQuote(key: Key | 'person', plan: Plan, quote: Quote): void {
    const { model } = this;
    const refusal = model.approval(key, plan);
    const total = totalOf(plan.lines);
    const { budgetCents } = plan.campaign;
    expect({
      plan_id: quote.plan_id,
      campaign_id: quote.campaign_id,
      version: quote.version,
      status: quote.status,
      window: [quote.launch_window_start, quote.launch_window_end],
      total: [quote.total_cents, quote.totals.total_cents],
      creators: quote.totals.creators,
      budget: [quote.totals.budget_cents, quote.totals.remaining_cents],
      over_budget: quote.over_budget,
      blocked: quote.blocked_lines,
      policy: [quote.policy.allowed, quote.policy.refusal?.reason],
      spent: quote.mandate?.spent_this_month_cents,
      lines: quote.lines.map((line) => [line.id, line.unit_id, line.price_cents, line.scheduled_date, line.on_sale]),
    }).toEqual({
      plan_id: plan.id,
      campaign_id: plan.campaign.id,
      version: plan.version,
      status: plan.signed ? 'approved' : 'awaiting_approval',
      window: [plan.start, plan.end],
      total: [total, total],
      creators: new Set(plan.lines.map((line) => line.creator)).size,
      budget: [budgetCents, budgetCents === null ? null : Math.max(0, budgetCents - total)],
      over_budget: model.overBudget(plan),
      blocked: model.blocked(plan),
      policy: [refusal === null, refusal?.reason],
      spent: key === 'bare' || key === 'person' ? undefined : model.spentBy(key),
      lines: plan.lines.map((line) => [line.id, line.unit, line.priceCents, line.date, model.isOnSale(plan, line)]),
    });
    expect(quote.terms_fingerprint).toBe(fingerprintOf(plan));
  }
}

/** Reads everything at the end of a run. */
export const readAll = (model: Reference, real: Real): Promise<void> => new Playing(model, real).readAll();

const by: fc.Arbitrary<By> = fc.record({
  door: fc.constantFrom('REST' as const, 'MCP' as const),
  key: fc.oneof(
    { weight: 14, arbitrary: fc.constant('full' as const) },
    { weight: 4, arbitrary: fc.constant('muted' as const) },
    { weight: 1, arbitrary: fc.constant('bare' as const) },
  ),
});
const pick = fc.nat(1_000);
const seldomForeign = fc.oneof(
  { weight: 24, arbitrary: pick },
  { weight: 1, arbitrary: fc.constant('foreign' as const) },
);
const unit: fc.Arbitrary<UnitPick> = fc.record({
  from: fc.oneof(
    { weight: 10, arbitrary: fc.constant('network' as const) },
    { weight: 14, arbitrary: fc.constant('cheap' as const) },
    { weight: 3, arbitrary: fc.constant('plan' as const) },
    { weight: 1, arbitrary: fc.constant('foreign' as const) },
  ),
  at: pick,
});

const create = fc.record({
  do: fc.constant('create' as const),
  by,
  goal: fc.constantFrom<Goal>('launch', 'funding', 'feature', 'program'),
  moment: fc.nat(6),
  start: fc.nat(5),
  length: fc.nat(40),
  budgetUsd: fc.constantFrom(0.01, 500, 2_000, 6_000, 30_000),
});
const add = fc.record({
  do: fc.constant('add' as const),
  by,
  plan: fc.oneof({ weight: 3, arbitrary: fc.constant('current' as const) }, { weight: 6, arbitrary: seldomForeign }),
  unit,
  day: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: -3, max: 30 }) },
  ),
});
const swap = fc.record({ do: fc.constant('swap' as const), by, plan: pick, line: seldomForeign, unit });
const remove = fc.record({ do: fc.constant('remove' as const), by, plan: pick, line: seldomForeign });
const dates = fc.record({
  do: fc.constant('dates' as const),
  by,
  plan: seldomForeign,
  start: fc.integer({ min: -1, max: 30 }),
  length: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: -1, max: 45 }) },
    { weight: 1, arbitrary: fc.integer({ min: 360, max: 370 }) },
  ),
});
const rename = fc.record({
  do: fc.constant('rename' as const),
  by,
  campaign: pick,
  name: fc.stringMatching(/^[A-Za-z]{1,20}$/),
});
const guidelines = fc.record({
  do: fc.constant('guidelines' as const),
  by,
  campaign: pick,
  pitch: fc.stringMatching(/^[A-Za-z]{0,20}$/),
  dos: fc.array(fc.stringMatching(/^[A-Za-z]{1,20}$/), { maxLength: 3 }),
});
const remove_ = fc.record({ do: fc.constant('delete' as const), by, campaign: pick });
const archive = fc.record({
  do: fc.constant('archive' as const),
  campaign: pick,
  archived: fc.constantFrom(true, false, false),
});
const budget = fc.record({
  do: fc.constant('budget' as const),
  campaign: pick,
  cents: fc.constantFrom(
    named('exact', (lines: readonly Line[]) => totalOf(lines)),
    named('a cent under', (lines: readonly Line[]) => totalOf(lines) - 1),
    named('half', (lines: readonly Line[]) => Math.floor(totalOf(lines) / 2)),
    named('a tenth', (lines: readonly Line[]) => Math.floor(totalOf(lines) / 10)),
    named('twice', (lines: readonly Line[]) => 2 * totalOf(lines)),
    named('ten million dollars', () => 1_000_000_000),
  ),
});
const price = fc.record({
  do: fc.constant('price' as const),
  unit: fc.record({
    from: fc.oneof(
      { weight: 6, arbitrary: fc.constant('plan' as const) },
      { weight: 2, arbitrary: fc.constant('network' as const) },
    ),
    at: pick,
  }),
  cents: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom<number | 'off_sale' | 'on_sale' | 'clear'>(
        1_000,
        20_000,
        45_000,
        90_000,
        300_000,
        1_400_000,
      ),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom<number | 'off_sale' | 'on_sale' | 'clear'>('off_sale', 'on_sale', 'clear', 'clear'),
    },
  ),
});
const approve = fc.record({
  do: fc.constant('approve' as const),
  by,
  plan: pick,
  fingerprint: fc.oneof(
    { weight: 7, arbitrary: fc.constant('current' as const) },
    { weight: 1, arbitrary: fc.constant('other' as const) },
  ),
});
const quote = fc.record({ do: fc.constant('quote' as const), by, plan: pick });
const advance = fc.record({ do: fc.constant('advance' as const), days: fc.integer({ min: 1, max: 5 }) });

/** Actions as often as their name stands here. */
const WEIGHTED: [number, fc.Arbitrary<Action>][] = [
  [4, create],
  [9, add],
  [8, swap],
  [7, remove],
  [6, dates],
  [3, rename],
  [2, guidelines],
  [3, remove_],
  [5, archive],
  [5, budget],
  [8, price],
  [3, approve],
  [3, quote],
  [1, advance],
];

/** The commands of a run; one write in ten is sent again under its key by the other door. */
export const steps = (most: number): fc.Arbitrary<Iterable<fc.AsyncCommand<Reference, Real>>> =>
  fc.commands(
    WEIGHTED.flatMap(([weight, action]) =>
      Array.from({ length: weight }, () =>
        fc
          .record({ action, again: fc.nat(9).map((one) => one === 0) })
          .map((drawn) => new Step(drawn.action, drawn.again)),
      ),
    ),
    { maxCommands: most, size: 'max' },
  );

function named<F extends (lines: readonly Line[]) => number>(name: string, rule: F): F {
  return Object.assign(rule, { toJSON: () => name });
}
