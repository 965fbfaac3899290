import { expect } from '@jest/globals';
import type { Of } from './actions.js';
import { at, type Playing } from './playing.js';

export const price = async (playing: Playing, { unit: picked, cents }: Of<'price'>): Promise<null> => {
  const unit = playing.unitOf(picked, at(playing.model.plans, picked.at));
  const known = playing.model.unit(unit) !== undefined;
  const operation = cents === 'clear' ? 'sandbox_unit_clear' : 'sandbox_unit_set';
  const change =
    cents === 'clear' ? null : typeof cents === 'number' ? { priceCents: cents } : { offSale: cents === 'off_sale' };
  const input = {
    ...(change !== null && 'priceCents' in change && { price_cents: change.priceCents }),
    ...(change !== null && 'offSale' in change && { off_sale: change.offSale }),
  };
  const { workspace, clock } = playing.real;
  const result = await workspace.gatewayBus('key', clock.now(), operation, { unit_id: unit, ...input });
  if (!playing.compare('price', result, known ? null : { status: 404, code: 'not_found' }))
    playing.model.override(unit, change);
  return null;
};

export const mandate = async (playing: Playing, { maxPlanCents, capCents }: Of<'mandate'>): Promise<null> => {
  const limits = { maxPlanCents, capCents: capCents(playing.model.spentBy('full')) };
  const result = await playing.real.workspace.setMandate('full', limits, playing.real.clock.now());
  playing.compare('mandate', result, null);
  playing.model.limits = limits;
  return null;
};

export const advance = async (playing: Playing, days: number): Promise<null> => {
  const result = await playing.real.workspace.sandbox('sandbox_clock_advance', { seconds: days * 86_400 });
  playing.compare('advance', result, null);
  playing.model.advance(days);
  expect((result.value as { now: string }).now.slice(0, 10)).toBe(playing.model.today);
  return null;
};
