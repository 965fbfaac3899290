import { AppError, badRequest, type Input, type Output, SERVICES, type ServiceName } from '@cds/contracts';
import type { Client, Ctx, AuditTrail as OwnTrail } from '@cds/service';
import { askEach, type OtherService } from '../event-admins.js';

export type AuditCalls = Client<`${OtherService}_audit` | `${OtherService}_audit_chain`>;

export type AuditTrail = {
  list: (ctx: Ctx, input: Input<'billing_audit'>) => Promise<Output<'billing_audit'>>;
  chain: (ctx: Ctx, input: Input<'billing_audit_chain'>) => Promise<Output<'billing_audit_chain'>>;
};
export type AuditTrails = Readonly<Record<ServiceName, AuditTrail>>;

/** One for each of the six services: the gateway's own in this process, the others over the bus. */
export const auditTrailsOf = (own: OwnTrail, calls: AuditCalls): AuditTrails => {
  const local: AuditTrail = {
    list: (_ctx, input) => own.list(input),
    chain: (_ctx, input) => own.chain(input),
  };
  const remote = (service: OtherService): AuditTrail => ({
    list: (ctx, input) => calls[`${service}_audit`](ctx, input),
    chain: (ctx, input) => calls[`${service}_audit_chain`](ctx, input),
  });
  return Object.fromEntries(
    SERVICES.map((service) => [service, service === 'gateway' ? local : remote(service)]),
  ) as Record<ServiceName, AuditTrail>;
};

/** Asks services for their part of an audit. Raises unavailable if one does not answer: a part would look whole. */
export const askAll = async <Answer>(
  services: readonly ServiceName[],
  ask: (service: ServiceName) => Promise<Answer>,
): Promise<Answer[]> => {
  const { answers, unavailable } = await askEach(services, ask);
  if (unavailable.length === 0) return answers;
  throw new AppError(
    'unavailable',
    `The audit is incomplete without these services, which did not answer: ${unavailable.join(', ')}. Retry in a moment.`,
    { retry_after: 2, unavailable },
  );
};

export const badCursor = () =>
  badRequest([{ field: 'cursor', message: 'must be the `next` of the previous answer to the same query' }]);
