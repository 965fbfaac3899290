import { z } from 'zod';
import { Mandate } from '../billing/mandates.js';
import { TermsText } from '../billing/terms.js';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { closed, stringInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { brandPath } from '../planning/inputs.js';
import { keyOperation, keyParams } from './keys.js';
import { MandateInput } from './mandate-input.js';

/** Of a version of the brand terms (docs/domain/orders.md#brand-terms); `key_id` null is for the app. */
export const TermsAcceptance = z
  .object({
    key_id: Uuid.nullable(),
    version: publicText(),
    person: publicText(),
    email: publicText(),
    accepted_at: Timestamp,
  })
  .meta({ id: 'TermsAcceptance' });
export type TermsAcceptance = z.infer<typeof TermsAcceptance>;

const versionInput = closed({ version: stringInput('must be the id of the current version, such as 2026-11-01') });

export const keyMandateOperations = defineOperations('gateway', {
  key_mandate_set: {
    ...keyOperation,
    rest: { method: 'PUT', path: brandPath('/keys/{id}/mandate'), root: 'app' },
    effect: 'write',
    idempotency: 'required',
    ownRecord: true,
    summary: 'Sets the mandate of a key. No approval that starts after the answer uses an older one.',
    params: keyParams,
    body: MandateInput,
    output: Mandate,
    conflicts: ['bad_state'],
  },
  key_mandate_remove: {
    ...keyOperation,
    rest: { method: 'DELETE', path: brandPath('/keys/{id}/mandate'), root: 'app' },
    effect: 'write',
    idempotency: 'required',
    ownRecord: true,
    summary: 'Removes the mandate of a key, which can then write nothing.',
    params: keyParams,
    output: z.null(),
    success: 204,
    conflicts: ['bad_state'],
  },
  terms_get: {
    ...keyOperation,
    rest: { method: 'GET', path: brandPath('/terms'), root: 'app' },
    atLeast: 'viewer',
    effect: 'read',
    summary: 'Returns the current brand terms with their text, and who accepted which version for which key.',
    output: z.object({
      current: TermsText.nullable(),
      acceptances: z.array(TermsAcceptance),
    }),
  },
  key_terms_accept: {
    ...keyOperation,
    rest: { method: 'POST', path: brandPath('/keys/{id}/terms'), root: 'app' },
    effect: 'write',
    idempotency: 'required',
    ownRecord: true,
    summary: 'Accepts the current brand terms for one key.',
    params: keyParams,
    body: versionInput,
    output: Mandate,
    conflicts: ['terms_superseded', 'approval_not_allowed', 'bad_state'],
  },
  terms_accept: {
    ...keyOperation,
    rest: { method: 'POST', path: brandPath('/terms'), root: 'app' },
    effect: 'write',
    idempotency: 'required',
    summary: 'Accepts the current brand terms for what the person signs in the app.',
    body: versionInput,
    output: TermsAcceptance,
    conflicts: ['terms_superseded'],
  },
});
