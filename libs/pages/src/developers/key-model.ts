import { type Key, type Mandate, type Member, READ_SCOPES } from '@cds/contracts';
import { ago, day, daysUntil, dollars } from '../foundation/format.js';
import { CHANNEL_WORDS, listed } from './words.js';

export type State = { kind: 'good' | 'warn' | 'bad' | 'off'; label: string };

/** From this many days before its end on, a key says so. */
const SOON_DAYS = 14;

const inDays = (days: number): string => (days === 1 ? 'within a day' : `in ${days} days`);

export const stateOf = (key: Key, currentTerms: string | null, now: Date): State => {
  if (key.revoked_at !== null) return { kind: 'off', label: 'Revoked' };
  const left = key.expires_at === null ? null : daysUntil(key.expires_at, now);
  if (left !== null && left <= 0) return { kind: 'off', label: 'Expired' };
  if (left !== null && left <= SOON_DAYS) return { kind: 'warn', label: `Expires ${inDays(left)}` };
  const { mandate } = key;
  if (mandate === null) return { kind: 'good', label: 'Active' };
  const mandateLeft = daysUntil(mandate.expires_at, now);
  if (mandateLeft <= 0) return { kind: 'bad', label: 'Mandate expired' };
  if (mandate.may_approve && key.public_id !== null && mandate.terms_version !== currentTerms && currentTerms !== null)
    return { kind: 'bad', label: 'Terms not accepted' };
  if (mandateLeft <= SOON_DAYS) return { kind: 'warn', label: `Mandate expires ${inDays(mandateLeft)}` };
  return { kind: 'good', label: 'Active' };
};

export const isLive = (key: Key, now: Date): boolean =>
  key.revoked_at === null && (key.expires_at === null || daysUntil(key.expires_at, now) > 0);

export const scopesLine = (scopes: Key['scopes']): string => {
  const reads = READ_SCOPES.filter((scope) => scopes.includes(scope)).length;
  const words = [
    ...(reads === 0
      ? []
      : [reads === READ_SCOPES.length ? 'reads everything' : `reads ${reads} of ${READ_SCOPES.length} areas`]),
    ...(scopes.includes('campaigns:write') ? ['works on campaigns'] : []),
    ...(scopes.includes('plans:approve') ? ['signs plans'] : []),
  ];
  const line = listed(words);
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
};

export const mandateLine = (mandate: Mandate | null): string => {
  if (mandate === null) return 'No mandate: it can read, and every write is refused.';
  const channels = listed(mandate.channels.map((channel) => CHANNEL_WORDS[channel] ?? channel));
  const does = mandate.may_approve ? 'Signs plans' : 'Plans, without signing,';
  return `${does} up to ${dollars(mandate.max_plan_cents)} each and ${dollars(mandate.monthly_cap_cents)} a month: ${channels}.`;
};

const MAKERS: Readonly<Record<string, string>> = {
  person: 'somebody who is no longer a member',
  operator: 'our team',
  key: 'another key',
  system: 'the system',
};

export const makerOf = (createdBy: string, members: readonly Pick<Member, 'person_id' | 'email'>[]): string =>
  members.find(({ person_id }) => createdBy === `person:${person_id}`)?.email ??
  MAKERS[createdBy.split(':')[0] ?? ''] ??
  createdBy;

/** A value against its limit, as the bar shows it. */
export const meterOf = (label: string, spentCents: number, capCents: number) => {
  const part = capCents === 0 ? 0 : spentCents / capCents;
  return {
    label,
    spent: dollars(spentCents),
    of: `of ${dollars(capCents)}`,
    percent: Math.min(100, Math.round(part * 100)),
    kind: part >= 1 ? 'bad' : part >= 0.8 ? 'warn' : '',
  };
};

const keyCard = (key: Key, currentTerms: string | null, now: Date) => ({
  id: key.id,
  href: `/developers/keys/${key.id}`,
  name: key.name,
  publicId: key.public_id,
  state: stateOf(key, currentTerms, now),
  scopes: scopesLine(key.scopes),
  mandate: key.revoked_at === null ? mandateLine(key.mandate) : `Revoked on ${day(key.revoked_at)}.`,
  meter:
    key.mandate === null
      ? null
      : meterOf('Spent this month', key.mandate.spent_this_month_cents, key.mandate.monthly_cap_cents),
  lastUsed: key.last_used_at === null ? 'Never' : ago(key.last_used_at, now),
  expires: key.expires_at === null ? 'Never' : day(key.expires_at),
});

const KEY_TABS = ['live', 'ended'] as const;
type KeyTab = (typeof KEY_TABS)[number];

export const keysModel = (keys: readonly Key[], currentTerms: string | null, tab: KeyTab, now: Date) => {
  const live = keys.filter((key) => isLive(key, now));
  const ended = keys.filter((key) => !isLive(key, now));
  return {
    cards: (tab === 'live' ? live : ended).map((key) => keyCard(key, currentTerms, now)),
    tabs: [
      { href: '/developers', label: 'Active', count: live.length, current: tab === 'live' },
      { href: '/developers?show=ended', label: 'Ended', count: ended.length, current: tab === 'ended' },
    ],
    tab,
  };
};
