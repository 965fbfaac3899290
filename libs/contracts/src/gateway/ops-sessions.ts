import { z } from 'zod';
import { publicText } from '../fields.js';
import { closed, emailInput, lineInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { everyRoleReads } from '../operator-fields.js';
import { OPERATOR_ROLES } from '../roles.js';
import { LinkSent, linkToken, visitorOperation } from './sessions.js';

/** The operator who asks: a signed-in person, or a token, which has no address. */
export const OpsMe = z
  .object({
    id: publicText(),
    name: publicText(),
    email: publicText().nullable(),
    role: z.enum(OPERATOR_ROLES),
  })
  .meta({ id: 'OpsMe' });
export type OpsMe = z.infer<typeof OpsMe>;

export const opsSessionOperations = defineOperations('gateway', {
  ops_sign_in: {
    ...visitorOperation,
    rest: { method: 'POST', path: '/api/ops/sign-in', root: 'app' },
    summary: "Sends a sign-in link to the address if it is one of the operator's team. The answer never says so.",
    body: closed({ email: emailInput() }),
    output: LinkSent,
    success: 202,
  },
  ops_session_start: {
    ...visitorOperation,
    rest: { method: 'POST', path: '/api/ops/session', root: 'app' },
    summary: "Starts an operator's session with the token of a sign-in link, and sets its cookie.",
    body: closed({ token: linkToken() }),
    output: OpsMe,
  },
  ops_first_lead: {
    ...visitorOperation,
    rest: { method: 'POST', path: '/api/ops/first-lead', root: 'app' },
    summary: 'Makes the first lead with the one-time link that the first start printed, and signs in.',
    body: closed({ token: linkToken(), email: emailInput(), name: lineInput({ max: 60 }) }),
    output: OpsMe,
    success: 201,
  },
  ops_session_end: {
    ...everyRoleReads,
    role: 'everyone',
    effect: 'write',
    idempotency: 'optional',
    ownRecord: true,
    rest: { method: 'DELETE', path: '/api/ops/session', root: 'app' },
    summary: "Ends an operator's session.",
    output: z.null(),
    success: 204,
  },
  ops_me_get: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/me', root: 'app' },
    summary: 'Returns who is signed in, or which token asks.',
    output: OpsMe,
  },
});
