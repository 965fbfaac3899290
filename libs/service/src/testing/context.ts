import { randomUUID } from 'node:crypto';
import { DEFAULT_SWITCHES, type PrincipalMandate, SCOPES, type Switches } from '@cds/contracts';
import type { Ctx } from '../bus/context.js';
import { Deadline } from '../deadline/deadline.js';

/** A mandate like that of the seeded key `full`. */
export const aMandate = (over: Partial<PrincipalMandate> = {}): PrincipalMandate => ({
  version: 1,
  max_plan_cents: 2_500_000,
  monthly_cap_cents: 6_000_000,
  channels: ['x_creators'],
  may_approve: true,
  expires_at: '2099-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  terms_version: '2026-11-01',
  terms_accepted_at: '2026-11-01T00:00:00.000Z',
  terms_accepted_email: 'owner@example.com',
  ...over,
});

/** A request's context; a test states only what matters to it. */
export const aCtx = (
  over: {
    workspace?: string;
    readsWorkspace?: string;
    key?: string;
    sandbox?: boolean;
    now?: string;
    mandate?: PrincipalMandate | null;
    command?: { id: string; fp: string } | null;
    switches?: Partial<Switches>;
    limitMs?: number;
  } = {},
): Ctx => {
  const now = new Date(over.now ?? '2026-11-21T12:00:00.000Z');
  const workspace = over.workspace ?? randomUUID();
  const mandate = over.mandate === undefined ? aMandate() : over.mandate;
  return {
    requestId: `req_${randomUUID()}`,
    attemptId: randomUUID(),
    traceparent: '',
    principal: {
      audience: 'brand',
      workspace,
      workspace_name: 'Acme',
      reads_workspace: over.readsWorkspace ?? workspace,
      sandbox: over.sandbox ?? false,
      key: over.key ?? randomUUID(),
      scopes: SCOPES,
      mandate,
      mandate_version: mandate?.version ?? 0,
    },
    command: over.command === undefined ? null : over.command,
    now,
    networkNow: now,
    deadline: Deadline.in(over.limitMs ?? 20_000),
    switches: { ...DEFAULT_SWITCHES, ...over.switches },
  };
};
