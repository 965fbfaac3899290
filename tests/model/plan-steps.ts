import { randomUUID } from 'node:crypto';
import type { CampaignStarted, PlanApproved, Quote } from '@cds/contracts';
import { expect } from '@jest/globals';
import type { Of } from './actions.js';
import { addDays, type Campaign, fingerprintOf, type Line, type Plan, totalOf, type Unit } from './plans.js';
import { at, type Playing, type Sent } from './playing.js';

export const create = async (
  playing: Playing,
  { by, goal, moment, start, length, budgetUsd }: Of<'create'>,
): Promise<Sent> => {
  const [first, last] = [addDays(playing.model.today, start), addDays(playing.model.today, start + length)];
  const refused = playing.model.create(by.key);
  const offset = Math.min(moment, length);
  const sent = await playing.send(by, 'create_campaign', {
    goal,
    product: 'A tool for founders',
    moment: `It goes live on ${addDays(first, offset)}`,
    window_start: first,
    window_end: last,
    budget_usd: budgetUsd,
  });
  if (playing.compare('create', sent.result, refused, 201)) return sent;

  const value = sent.result.value as CampaignStarted;
  const budgetCents = Math.round(budgetUsd * 100);
  expect(value).toMatchObject({ budget_cents: budgetCents, display_name: 'A tool for founders' });
  const campaign = playing.model.started({
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
  campaign.plan = built(playing, value.plan, campaign, { start: first, end: last, moment: offset });
  playing.compareQuote(by.key, campaign.plan, value.plan);
  return sent;
};

/**
 * Adopts what the builder chose, which the page leaves open, once it is within the page's bounds
 * (docs/domain/plans.md#properties, property 1).
 */
const built = (
  playing: Playing,
  quote: Quote,
  campaign: Campaign,
  window: Pick<Plan, 'start' | 'end' | 'moment'>,
): Plan => {
  const lines = quote.lines.map((line): Line => {
    const unit: Unit = playing.model.unit(line.unit_id ?? '') ?? {
      id: line.unit_id ?? '',
      creator: line.creator_id ?? '',
      format: line.format ?? '',
      priceCents: line.price_cents,
      buyable: true,
    };
    if (playing.model.unit(unit.id) === undefined) playing.model.units.set(unit.id, unit);
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
  const first = playing.model.firstDay(plan);
  for (const line of lines) expect(line.date >= first && line.date <= plan.end).toBe(true);
  const posts =
    campaign.goal === 'program'
      ? lines.map((line) => `${line.creator} ${line.date}`)
      : lines.map((line) => line.creator);
  expect(new Set(posts).size).toBe(lines.length);
  return plan;
};

export const add = async (playing: Playing, { by, plan: which, unit: picked, day }: Of<'add'>): Promise<Sent> => {
  const plan =
    which === 'current' ? playing.model.current() : which === 'foreign' ? undefined : at(playing.model.plans, which);
  const unit = playing.unitOf(picked, plan);
  const date = day === null ? undefined : addDays(plan?.start ?? addDays(playing.model.today, 3), day);
  const expected =
    plan !== undefined
      ? playing.model.add(by.key, plan, unit, date)
      : which === 'current'
        ? playing.model.startWith(by.key, unit, date)
        : { refused: { status: 404, code: 'not_found' } };
  const id = which === 'current' ? 'current' : (plan?.id ?? randomUUID());
  const sent = await playing.send(by, 'plan_add_creator', {
    id,
    unit_id: unit,
    ...(date === undefined ? {} : { scheduled_date: date }),
  });
  if (
    playing.compare('add', sent.result, 'refused' in expected ? expected.refused : null, 201) ||
    'refused' in expected
  )
    return sent;

  const value = sent.result.value as { line_id: string; plan: Quote };
  const target = plan ?? startedWith(playing, value.plan, 'plan' in expected ? (expected.plan as Plan) : undefined);
  playing.model.applyLines(target, [...target.lines, { ...expected.line, id: value.line_id }]);
  playing.compareQuote(by.key, target, value.plan);
  return sent;
};

const startedWith = (playing: Playing, quote: Quote, fresh: Plan | undefined): Plan => {
  if (fresh === undefined) throw new Error('an add to current started nothing');
  const campaign = playing.model.started({ ...fresh.campaign, id: quote.campaign_id, name: '', displayName: '' });
  const plan: Plan = { ...fresh, id: quote.plan_id, campaign };
  campaign.plan = plan;
  return plan;
};

export const swap = async (
  playing: Playing,
  { by, plan: which, line: place, unit: picked }: Of<'swap'>,
): Promise<Sent> => {
  const plan = at(playing.model.plans, which);
  const removed = place === 'foreign' ? undefined : at(plan?.lines ?? [], place);
  const unit = playing.unitOf(picked, plan);
  const expected = playing.model.swap(by.key, plan, removed, unit);
  const sent = await playing.send(by, 'plan_swap_creator', {
    id: plan?.id,
    line_id: removed?.id ?? randomUUID(),
    unit_id: unit,
  });
  if (
    playing.compare('swap', sent.result, 'refused' in expected ? expected.refused : null) ||
    'refused' in expected ||
    plan === undefined
  )
    return sent;

  const value = sent.result.value as { line_id: string; removed_line_id: string; plan: Quote };
  expect(value.removed_line_id).toBe(removed?.id);
  if (
    totalOf(value.plan.lines.map((line) => ({ priceCents: line.price_cents }))) >
    (plan.campaign.budgetCents ?? Number.POSITIVE_INFINITY)
  )
    playing.count('swap past_the_budget');
  playing.model.applyLines(
    plan,
    plan.lines.map((line) => (line === removed ? { ...expected.line, id: value.line_id } : line)),
  );
  playing.compareQuote(by.key, plan, value.plan);
  return sent;
};

export const remove = async (playing: Playing, { by, plan: which, line: place }: Of<'remove'>): Promise<Sent> => {
  const plan = at(playing.model.plans, which);
  const line = place === 'foreign' ? undefined : at(plan?.lines ?? [], place);
  const refused = playing.model.remove(by.key, plan, line);
  const sent = await playing.send(by, 'plan_remove_creator', { id: plan?.id, line_id: line?.id ?? randomUUID() });
  if (playing.compare('remove', sent.result, refused) || plan === undefined) return sent;

  const value = sent.result.value as { removed_line_id: string; plan: Quote };
  expect(value.removed_line_id).toBe(line?.id);
  playing.model.applyLines(
    plan,
    plan.lines.filter((one) => one !== line),
  );
  playing.compareQuote(by.key, plan, value.plan);
  return sent;
};

export const dates = async (playing: Playing, { by, plan: which, start, length }: Of<'dates'>): Promise<Sent> => {
  const plan = which === 'foreign' ? undefined : at(playing.model.plans, which);
  const [first, last] = [addDays(playing.model.today, start), addDays(playing.model.today, start + length)];
  const expected = playing.model.dates(by.key, plan, first, last);
  const sent = await playing.send(by, 'plan_move_dates', { id: plan?.id ?? randomUUID(), start: first, end: last });
  if (
    playing.compare('dates', sent.result, 'refused' in expected ? expected.refused : null) ||
    'refused' in expected ||
    plan === undefined
  )
    return sent;

  const value = sent.result.value as { lines_moved: number; plan: Quote };
  expect(value.lines_moved).toBe(expected.moved);
  playing.compareQuote(by.key, plan, value.plan);
  return sent;
};

export const approve = async (playing: Playing, { by, plan: which, fingerprint }: Of<'approve'>): Promise<Sent> => {
  const plan = at(playing.model.plans, which);
  const sends = fingerprint === 'other' || plan === undefined ? 'x'.repeat(43) : fingerprintOf(plan);
  const before = plan?.version ?? 0;
  const { refused, repriced } = playing.model.approve(by.key, plan, sends);
  const sent = await playing.send(by, 'approve_plan', { id: plan?.id ?? randomUUID(), terms_fingerprint: sends });
  if (playing.compare(repriced ? 'approve repriced' : 'approve', sent.result, refused)) {
    if (plan !== undefined && refused?.reason === 'terms_changed') {
      expect(JSON.stringify(sent.result)).not.toContain(fingerprintOf(plan));
      expect(plan.version).toBe(repriced ? before + 1 : before);
    }
    return sent;
  }
  const value = sent.result.value as PlanApproved;
  expect(value).toMatchObject({
    plan_id: plan?.id,
    status: 'approved',
    order: { total_cents: totalOf(plan?.lines ?? []), payment_state: 'unpaid' },
  });
  if (plan?.order !== undefined) plan.order.id = value.order_id;
  if (plan !== undefined) playing.compareQuote(by.key, plan, value.plan);
  return sent;
};

export const quote = async (playing: Playing, { by, plan: which }: Of<'quote'>): Promise<null> => {
  const plan = at(playing.model.plans, which);
  if (plan !== undefined) await playing.readQuote(by, plan);
  return null;
};
