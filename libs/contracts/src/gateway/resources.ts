import { z } from 'zod';
import { Mandate } from '../billing/resources.js';
import { DueFact } from '../facts.js';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { SCOPES } from '../scope.js';

/** The receipt of a feedback message (domain 4-doors 3.1). */
export const FeedbackReceived = z.object({ id: Uuid, received_at: Timestamp }).meta({ id: 'FeedbackReceived' });
export type FeedbackReceived = z.infer<typeof FeedbackReceived>;

/** A sandbox's clock: business time now, how far it ran ahead, and the next due facts (domain 4-doors 7). */
export const SandboxClock = z
  .object({ now: Timestamp, offset_seconds: z.int().min(0), pending: z.array(DueFact) })
  .meta({ id: 'SandboxClock' });
export type SandboxClock = z.infer<typeof SandboxClock>;

/** A seeded key; `secret` is the whole key as it is sent. */
export const DevKey = z
  .object({
    name: publicText(),
    id: Uuid,
    secret: publicText(),
    scopes: z.array(z.enum(SCOPES)),
    mandate: Mandate.nullable(),
  })
  .meta({ id: 'DevKey' });
export type DevKey = z.infer<typeof DevKey>;

/** A seeded workspace with its keys. */
export const DevWorkspace = z
  .object({ name: publicText(), kind: z.enum(['live', 'sandbox']), id: Uuid, keys: z.array(DevKey) })
  .meta({ id: 'DevWorkspace' });
export type DevWorkspace = z.infer<typeof DevWorkspace>;

/** What making a development brand answers: the workspaces as the run-time file of a start lists them (domain 4-doors 4). */
export const DevBrand = z.object({ workspaces: z.array(DevWorkspace) }).meta({ id: 'DevBrand' });
export type DevBrand = z.infer<typeof DevBrand>;
