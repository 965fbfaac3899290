import { createHash } from 'node:crypto';
import type { Order } from './orders.js';

/**
 * Plans as the reference model has them: their shapes, days, totals and fingerprints, written from docs/domain/plans.md
 * alone and independent of the services. Money is integer US cents, days are YYYY-MM-DD.
 */
export type Key = 'full' | 'muted' | 'bare';
export type Goal = 'launch' | 'funding' | 'feature' | 'program';

export type Unit = { id: string; creator: string; format: string; priceCents: number; buyable: boolean };
export type Line = { id: string; unit: string; creator: string; format: string; priceCents: number; date: string };
export type NewLine = Omit<Line, 'id'>;
export type Plan = {
  id: string;
  campaign: Campaign;
  version: number;
  signed: boolean;
  start: string;
  end: string;
  /** M in days from the window's start (docs/domain/plans.md#dates). */
  moment: number;
  lines: Line[];
  order?: Order;
  /** Whether its creators have answered since it was paid: what they do is not modelled. */
  isStaffed?: boolean;
};
export type Campaign = {
  id: string;
  goal: Goal | null;
  name: string;
  displayName: string;
  budgetCents: number | null;
  archived: boolean;
  deleted: boolean;
  plan: Plan | null;
};

/** How a write must be refused; `numbers` are the details that carry figures. */
export type Refused = { status: number; code: string; reason?: string; numbers?: Record<string, unknown> };

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;
export const latest = (...days: string[]): string => days.reduce((one, other) => (one > other ? one : other));

/** The same day and month a year later; 29 February reads 28. */
export const yearAfter = (day: string): string => {
  const [year, rest] = [Number(day.slice(0, 4)) + 1, day.slice(4)];
  return `${year}${rest === '-02-29' ? '-02-28' : rest}`;
};

export const totalOf = (lines: readonly Pick<Line, 'priceCents'>[]): number =>
  lines.reduce((sum, line) => sum + line.priceCents, 0);

export const lineOn = (unit: Unit, date: string): NewLine => ({
  unit: unit.id,
  creator: unit.creator,
  format: unit.format,
  priceCents: unit.priceCents,
  date,
});

/**
 * The terms fingerprint (docs/domain/plans.md#terms-fingerprint): the keys below are in the order of RFC 8785, so that
 * plain JSON is canonical.
 */
export const fingerprintOf = ({ start, end, lines }: Pick<Plan, 'start' | 'end' | 'lines'>): string => {
  const terms = {
    currency: 'USD',
    launch_window_end: end,
    launch_window_start: start,
    lines: lines
      .map((line) => ({
        channel: 'x_creators',
        format: line.format,
        id: line.id,
        price_cents: line.priceCents,
        scheduled_date: line.date,
        unit_id: line.unit,
      }))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
    v: 1,
  };
  return createHash('sha256').update(JSON.stringify(terms)).digest('base64url');
};
