import type { Key, Member, PrincipalMandate } from '@cds/contracts';
import { ago, day } from '../foundation/format.js';
import type { Shown } from '../foundation/problems.js';
import { isLive, makerOf, mandateLine, meterOf, stateOf } from './key-model.js';
import { keyFields, type SettingsTyped } from './key-new-model.js';
import { type MandateTyped, mandateFields, typedOf } from './mandate-form.js';
import { CHANNEL_WORDS, listed, SCOPE_WORDS } from './words.js';

export type KeyPageTyped = { settings: SettingsTyped; mandate: MandateTyped };

export const typedFor = (key: Key, now: Date): KeyPageTyped => ({
  settings: {
    name: key.name,
    scopes: key.scopes,
    expires: key.expires_at?.slice(0, 10) ?? '',
    may_delegate: key.may_delegate,
  },
  mandate: typedOf(key.mandate, now),
});

type TermsSituation = { current: string | null; own: PrincipalMandate | null };

/** The own agent key signs for whoever is signed in, so each person accepts the terms for themselves. */
const ownTermsOf = (current: string, own: PrincipalMandate | null) => {
  const accepted = own?.terms_version === current;
  return {
    accepted,
    title: 'You cannot sign yet',
    text: accepted
      ? `Version ${current}, accepted by you on ${day(own.terms_accepted_at ?? '')}.`
      : `This key signs for people, and you have not accepted version ${current} in person.`,
    href: '/developers/terms',
  };
};

const termsOf = (key: Key, { current, own }: TermsSituation) => {
  const { mandate } = key;
  if (mandate === null || !mandate.may_approve || current === null) return null;
  if (key.public_id === null) return ownTermsOf(current, own);
  const accepted = mandate.terms_version === current;
  return {
    accepted,
    title: 'It cannot sign yet',
    text: accepted
      ? `Version ${current}, accepted by ${mandate.terms_accepted_email ?? 'a person'} on ${day(mandate.terms_accepted_at ?? '')}.`
      : mandate.terms_version === null
        ? `Version ${current} is not accepted for this key, so it cannot sign.`
        : `Version ${mandate.terms_version} was replaced by ${current}, so the key cannot sign until you accept it.`,
    href: `/developers/keys/${key.id}/terms`,
  };
};

export const keyPageModel = (
  key: Key,
  terms: TermsSituation,
  members: readonly Member[],
  typed: KeyPageTyped,
  { settings, mandate }: { settings: Shown; mandate: Shown },
  now: Date,
) => ({
  id: key.id,
  name: key.name,
  publicId: key.public_id,
  state: stateOf(key, terms.current, now),
  live: isLive(key, now),
  /** The workspace's own agent key is never shown and has a mandate only. */
  own: key.public_id === null,
  created: `${day(key.created_at)}, by ${makerOf(key.created_by, members)}`,
  lastUsed: key.last_used_at === null ? 'Never' : ago(key.last_used_at, now),
  expires: key.expires_at === null ? 'Never' : day(key.expires_at),
  scopes: key.scopes.map((scope) => SCOPE_WORDS[scope].label),
  usageHref: `/developers/usage?key=${key.id}`,
  mandateLine: mandateLine(key.mandate),
  mandateUntil: key.mandate === null ? null : day(key.mandate.expires_at),
  mandateChannels: key.mandate === null ? null : listed(key.mandate.channels.map((one) => CHANNEL_WORDS[one] ?? one)),
  meter:
    key.mandate === null
      ? null
      : meterOf('Spent this month', key.mandate.spent_this_month_cents, key.mandate.monthly_cap_cents),
  terms: termsOf(key, terms),
  settings: { ...settings, fields: keyFields(typed.settings, settings.problems) },
  mandateForm: { ...mandate, fields: mandateFields(typed.mandate, mandate.problems, key.scopes) },
});
