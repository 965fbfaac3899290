import { type Key, MANDATE_CHANNELS, type Mandate } from '@cds/contracts';
import type { Form } from '../foundation/form.js';
import type { FieldNames, FieldProblem } from '../foundation/problems.js';
import { errorAt } from '../foundation/problems.js';
import { CHANNEL_WORDS } from './words.js';

export type MandateTyped = {
  max_plan: string;
  monthly_cap: string;
  channels: string[];
  may_approve: boolean;
  mandate_expires: string;
};

export const MANDATE_FIELDS: FieldNames = {
  max_plan_cents: { field: 'max_plan', label: 'Most for one plan' },
  monthly_cap_cents: { field: 'monthly_cap', label: 'Most in a month' },
  channels: { field: 'channels', label: 'Channels' },
  may_approve: { field: 'may_approve', label: 'Signing' },
  expires_at: { field: 'mandate_expires', label: 'Valid until' },
};

const DEFAULT_DAYS = 180;
const DAY_MS = 86_400_000;

const dayAfter = (now: Date, days: number): string =>
  new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);

const dollarsTyped = (cents: number): string => (cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2));

/** The fields before anybody typed: those of the mandate, or a careful beginning. */
export const typedOf = (mandate: Mandate | null, now: Date): MandateTyped =>
  mandate === null
    ? {
        max_plan: '',
        monthly_cap: '',
        channels: ['x_creators'],
        may_approve: false,
        mandate_expires: dayAfter(now, DEFAULT_DAYS),
      }
    : {
        max_plan: dollarsTyped(mandate.max_plan_cents),
        monthly_cap: dollarsTyped(mandate.monthly_cap_cents),
        channels: mandate.channels,
        may_approve: mandate.may_approve,
        mandate_expires: mandate.expires_at.slice(0, 10),
      };

export const mandateTyped = (form: Form): MandateTyped => ({
  max_plan: form.one('max_plan'),
  monthly_cap: form.one('monthly_cap'),
  channels: form.all('channels'),
  may_approve: form.one('may_approve') === 'true',
  mandate_expires: form.one('mandate_expires'),
});

const AMOUNT = /^\$?\s*(\d{1,3}(?:,?\d{3})*)(?:\.(\d{1,2}))?$/;

/** "$5,000.50" in cents, or null when it is no amount. */
export const centsOf = (typed: string): number | null => {
  const [, whole, cents = ''] = AMOUNT.exec(typed.trim()) ?? [];
  return whole === undefined ? null : Number(whole.replaceAll(',', '')) * 100 + Number(cents.padEnd(2, '0'));
};

/** The last moment of a day in UTC, as an instant; anything else unchanged, for the operation to refuse. */
export const endOfDay = (typed: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(typed) ? `${typed}T23:59:59.000Z` : typed;

export type MandateBody = {
  max_plan_cents: number;
  monthly_cap_cents: number;
  channels: string[];
  may_approve: boolean;
  expires_at: string;
};

const AMOUNT_HELP = 'Write an amount in US dollars, such as 5000 or 5,000.50.';

/** What the operation takes, or what is wrong with amounts, which only the page reads. */
export const mandateBody = (typed: MandateTyped): { body: MandateBody } | { problems: FieldProblem[] } => {
  const [max, cap] = [centsOf(typed.max_plan), centsOf(typed.monthly_cap)];
  if (max === null || cap === null)
    return {
      problems: [
        ...(max === null ? [{ field: 'max_plan', label: 'Most for one plan', message: AMOUNT_HELP }] : []),
        ...(cap === null ? [{ field: 'monthly_cap', label: 'Most in a month', message: AMOUNT_HELP }] : []),
      ],
    };
  return {
    body: {
      max_plan_cents: max,
      monthly_cap_cents: cap,
      channels: typed.channels,
      may_approve: typed.may_approve,
      expires_at: endOfDay(typed.mandate_expires),
    },
  };
};

export const mandateFields = (
  typed: MandateTyped,
  problems: readonly FieldProblem[],
  scopes: Key['scopes'] | null,
) => ({
  maxPlan: {
    name: 'max_plan',
    label: 'Most for one plan',
    help: 'A plan above this is refused, whatever it holds.',
    prefix: '$',
    inputmode: 'decimal',
    value: typed.max_plan,
    error: errorAt(problems, 'max_plan'),
  },
  monthlyCap: {
    name: 'monthly_cap',
    label: 'Most in a month',
    help: 'What the key signs in a calendar month, in UTC.',
    prefix: '$',
    inputmode: 'decimal',
    value: typed.monthly_cap,
    error: errorAt(problems, 'monthly_cap'),
  },
  channels: {
    name: 'channels',
    legend: 'Channels it may buy',
    columns: true,
    error: errorAt(problems, 'channels'),
    options: MANDATE_CHANNELS.map((channel) => ({
      value: channel,
      label: CHANNEL_WORDS[channel] ?? channel,
      checked: typed.channels.includes(channel),
    })),
  },
  approve: {
    name: 'may_approve',
    legend: 'Signing',
    error: errorAt(problems, 'may_approve'),
    options: [
      {
        value: 'true',
        label: 'May sign plans',
        help:
          scopes !== null && !scopes.includes('plans:approve')
            ? 'Give the key “Sign plans” first. You also accept the brand terms for it.'
            : 'Signing spends money. You also accept the brand terms for this key.',
        checked: typed.may_approve,
      },
    ],
  },
  expires: {
    name: 'mandate_expires',
    label: 'Valid until',
    help: 'The end of this day in UTC, at most 366 days ahead.',
    type: 'date',
    short: true,
    value: typed.mandate_expires,
    error: errorAt(problems, 'mandate_expires'),
  },
});
