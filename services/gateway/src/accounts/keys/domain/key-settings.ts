import type { Problem, Scope } from '@cds/contracts';
import type { StoredMandate } from './mandate.js';

export type Settings = { name: string; scopes: Scope[]; expiresAt: Date | null; mayDelegate: boolean };

export type SettingsInput = {
  name?: string | undefined;
  scopes?: Scope[] | undefined;
  expires_at?: string | null | undefined;
  may_delegate?: boolean | undefined;
};

export const expiryProblems = (expiresAt: string | null | undefined, now: Date): Problem[] =>
  expiresAt === undefined || expiresAt === null || Date.parse(expiresAt) > now.getTime()
    ? []
    : [{ field: 'expires_at', message: 'must be after now, or null for a key that never expires' }];

export const nextSettings = (settings: Settings, input: SettingsInput): Settings => ({
  name: input.name ?? settings.name,
  scopes: input.scopes ?? settings.scopes,
  expiresAt: input.expires_at === undefined ? settings.expiresAt : instantOf(input.expires_at),
  mayDelegate: input.may_delegate ?? settings.mayDelegate,
});

export const instantOf = (text: string | null | undefined): Date | null =>
  text === undefined || text === null ? null : new Date(text);

/**
 * The next version of a mandate when its key loses plans:approve: it may no longer approve, and its terms are cleared.
 * Null when nothing changes (docs/domain/orders.md#mandate).
 */
export const withoutApproval = (
  mandate: StoredMandate | null,
  mandateVersion: number,
  scopes: readonly Scope[],
  now: Date,
): StoredMandate | null =>
  mandate === null || !mandate.may_approve || scopes.includes('plans:approve')
    ? null
    : {
        ...mandate,
        version: mandateVersion + 1,
        may_approve: false,
        updated_at: now,
        terms_version: null,
        terms_accepted_at: null,
        terms_accepted_email: null,
      };
