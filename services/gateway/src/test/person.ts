import { randomUUID } from 'node:crypto';
import type { BrandRole } from '@cds/contracts';
import { type Ctx, commandId, requestFingerprint } from '@cds/service';
import { aCtx } from '@cds/service/testing';

/** The context of a signed-in person's request, as the edge makes it. Each request has a command of its own. */
export const aPersonCtx = (
  workspace: string,
  over: { role?: BrandRole; idempotencyKey?: string; person?: string; at?: Date; now?: Date } = {},
): Ctx => {
  const person = over.person ?? 'p1';
  const ctx = aCtx({ workspace });
  const at = over.at ?? new Date();
  return {
    ...ctx,
    principal: {
      ...ctx.principal,
      audience: 'person',
      person: { id: person, role: over.role ?? 'admin', session: '' },
    },
    command: {
      id: commandId(`person:${person}|${workspace}`, over.idempotencyKey ?? randomUUID()),
      fp: requestFingerprint('test', {}),
    },
    networkNow: at,
    now: over.now ?? at,
    client: { address: '192.0.2.1', userAgent: 'test' },
  };
};
