/**
 * What billing asks the operator's team to do about a signing (docs/reliability.md#signing,
 * docs/domain/access.md#tasks-and-feedback).
 */
import type { EventPayload } from '@cds/contracts';
import { namedUuid } from '@cds/service/named-uuid';
import type { Hold } from './authority.js';

/** A task as it is opened; its id derives from its signing, so that it is opened once. */
export type SigningTask = EventPayload<'billing_task.opened'> & {
  kind: 'signing_without_order' | 'signing_stuck';
};

const taskOf = (kind: SigningTask['kind'], hold: Hold, at: Date): SigningTask => ({
  aggregate: namedUuid(kind, hold.signing_id),
  version: 1,
  kind,
  about: { order_id: hold.order_id },
  note: `Signing ${hold.signing_id} of plan ${hold.plan_id}, key ${hold.principal.key}.`,
  opened_at: at.toISOString(),
});

/** A signed plan whose order or command belongs to another signing: its hold stays until a person has looked. */
export const signingWithoutOrder = (hold: Hold, at: Date): SigningTask => taskOf('signing_without_order', hold, at);

/** A hold that nobody could finish for ten minutes. */
export const signingStuck = (hold: Hold, at: Date): SigningTask => taskOf('signing_stuck', hold, at);
