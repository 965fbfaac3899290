import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { CampaignSummary, OperationName, Quote } from '@cds/contracts';
import { expect } from '@jest/globals';
import { type CallResult, errorOf } from '../support/endpoints.js';
import { anIdempotencyKey } from '../support/stack.js';
import type { By, Choice, UnitPick } from './actions.js';
import { type Campaign, fingerprintOf, type Key, type Plan, type Refused, totalOf } from './plans.js';
import type { Reference } from './reference.js';
import type { Workspace } from './workspace.js';

export type Real = {
  workspace: Workspace;
  clock: { now: () => Date };
  trace: string[];
  outcomes: Map<string, number>;
  steps: { done: number };
};

export type Sent = {
  by: By;
  operation: OperationName;
  input: Record<string, unknown>;
  idempotencyKey: string;
  result: CallResult;
};

const READS = 100;
const READ_AGAIN_MS = 100;
/** How many of the cheapest units to pick from when a unit should fit the budget. */
const CHEAP = 40;

export const at = <T>(items: readonly T[], pick: Choice): T | undefined => items[pick % Math.max(1, items.length)];

export class Playing {
  constructor(
    readonly model: Reference,
    readonly real: Real,
  ) {}

  /** At the end of a run, everything it made must read as in the reference; planning hears of payments by events. */
  async readAll(): Promise<void> {
    const by: By = { transport: 'REST', key: 'full' };
    const kept = this.model.campaigns.filter((one) => !one.deleted);
    for (let reads = 1; ; reads += 1)
      try {
        await this.readCampaigns(by, kept);
        break;
      } catch (error) {
        if (reads === READS) throw error;
        await delay(READ_AGAIN_MS);
      }
    for (const { plan } of kept) if (plan !== null) await this.readQuote(by, plan);
  }

  private async readCampaigns(by: By, kept: readonly Campaign[]): Promise<void> {
    const result = await this.real.workspace.call(by, 'campaigns_list', { include_archived: true });
    const { campaigns } = result.value as { campaigns: CampaignSummary[] };
    const shown = new Map(campaigns.map((one) => [one.id, one]));
    expect(new Set(shown.keys())).toEqual(new Set(kept.map((one) => one.id)));
    for (const campaign of kept) {
      const row = shown.get(campaign.id);
      const stage = this.model.stage(campaign);
      // What creators of a paid plan do later is not modelled.
      const isOpen = stage === 'paid' && campaign.plan?.isStaffed === true;
      expect(row).toMatchObject({
        ...(!isOpen && { stage_id: stage }),
        ...(campaign.displayName !== '' && { display_name: campaign.displayName }),
        waits_on_you: this.model.waits(campaign),
      });
      expect(row?.stage === 'Archived').toBe(campaign.archived);
    }
  }

  async readQuote(by: By, plan: Plan): Promise<void> {
    const result = await this.real.workspace.call(by, 'plan_quote', { id: plan.id });
    this.compare('quote', result, null);
    if (plan.isStaffed !== true) this.compareQuote(by.key, plan, result.value as Quote);
  }

  async send(by: By, operation: OperationName, input: Record<string, unknown>): Promise<Sent> {
    const idempotencyKey = anIdempotencyKey();
    const result = await this.real.workspace.call(by, operation, input, idempotencyKey);
    return { by, operation, input, idempotencyKey, result };
  }

  unitOf(picked: UnitPick, plan: Plan | undefined): string {
    if (picked.from === 'foreign') return randomUUID();
    const cheap = [...this.model.units.values()].filter((one) => one.buyable).slice(0, CHEAP);
    if (picked.from === 'cheap') return at(cheap, picked.at)?.id ?? '';
    const onPlan = picked.from === 'plan' ? at(plan?.lines ?? [], picked.at)?.unit : undefined;
    return onPlan ?? at([...this.model.units.keys()], picked.at) ?? '';
  }

  count(outcome: string): void {
    this.real.outcomes.set(outcome, (this.real.outcomes.get(outcome) ?? 0) + 1);
  }

  /** Whether it was refused; either way the outcome must match the reference, figures included. */
  compare(what: string, result: CallResult, refused: Refused | null, success = 200): boolean {
    const error = errorOf(result);
    const reason = error?.details?.['reason'] ?? error?.code ?? 'done';
    this.count(`${what} ${String(reason)}`);
    this.real.trace.push(`  ${result.status} ${String(reason)}${result.status === 503 ? `: ${error?.message}` : ''}`);
    if (refused === null) {
      expect({ status: result.status, error }).toEqual({ status: success, error: undefined });
      return false;
    }
    expect({ status: result.status, code: error?.code, reason: error?.details?.['reason'] }).toEqual({
      status: refused.status,
      code: refused.code,
      reason: refused.reason,
    });
    for (const [name, value] of Object.entries(refused.numbers ?? {}))
      if (!isDeepStrictEqual(error?.details?.[name], value))
        expect({ [name]: error?.details?.[name] }).toEqual({ [name]: value });
    return true;
  }

  compareQuote(key: Key | 'person', plan: Plan, quote: Quote): void {
    const { model } = this;
    const refusal = model.approval(key, plan);
    const total = totalOf(plan.lines);
    const { budgetCents } = plan.campaign;
    const due = plan.signed ? total : Math.max(total, model.currentTotal(plan.lines));
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
      budget: [budgetCents, budgetCents === null ? null : Math.max(0, budgetCents - due)],
      over_budget: model.overBudget(plan),
      blocked: model.blocked(plan),
      policy: [refusal === null, refusal?.reason],
      spent: key === 'bare' || key === 'person' ? undefined : model.spentBy(key),
      lines: plan.lines.map((line) => [line.id, line.unit, line.priceCents, line.date, model.isOnSale(plan, line)]),
    });
    expect(quote.terms_fingerprint).toBe(fingerprintOf(plan));
  }
}
