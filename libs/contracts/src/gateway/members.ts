import { z } from 'zod';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { closed, emailInput, oneOf, uuidInput } from '../input.js';
import { defineOperation } from '../operation.js';
import { BRAND_ROLES } from '../roles.js';
import { gatewayPersonOperation } from './sessions.js';

/** A member of a brand, or an invited one while `joined_at` is null (docs/domain/access.md#members). */
export const Member = z
  .object({
    id: Uuid,
    person_id: Uuid,
    email: publicText(),
    name: publicText(),
    role: z.enum(BRAND_ROLES),
    invited_at: Timestamp,
    joined_at: Timestamp.nullable(),
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

const memberParams = closed({ id: uuidInput().describe('The member id.') });
const ownerWrites = {
  ...gatewayPersonOperation,
  atLeast: 'owner',
  effect: 'write',
  idempotency: 'required',
} as const;

export const memberOperations = {
  members_list: defineOperation({
    ...gatewayPersonOperation,
    name: 'members_list',
    rest: { method: 'GET', path: '/api/brand/members', root: 'app' },
    atLeast: 'viewer',
    effect: 'read',
    summary: "Lists the brand's members and invitations, oldest first.",
    output: z.object({ members: z.array(Member) }),
  }),
  member_invite: defineOperation({
    ...ownerWrites,
    name: 'member_invite',
    rest: { method: 'POST', path: '/api/brand/members', root: 'app' },
    summary: 'Invites an address. Its reader becomes a member by signing in.',
    body: closed({ email: emailInput(), role: oneOf(BRAND_ROLES) }),
    output: Member,
    success: 201,
    conflicts: ['already_member'],
  }),
  member_change: defineOperation({
    ...ownerWrites,
    name: 'member_change',
    rest: { method: 'PATCH', path: '/api/brand/members/{id}', root: 'app' },
    ownRecord: true,
    summary: "Changes a member's role from the next request on.",
    params: memberParams,
    body: closed({ role: oneOf(BRAND_ROLES) }),
    output: Member,
    conflicts: ['last_owner'],
  }),
  member_remove: defineOperation({
    ...ownerWrites,
    name: 'member_remove',
    rest: { method: 'DELETE', path: '/api/brand/members/{id}', root: 'app' },
    ownRecord: true,
    summary: 'Removes a member or an invitation, and ends its sessions in the brand.',
    params: memberParams,
    output: Member,
    conflicts: ['last_owner'],
  }),
} as const;
