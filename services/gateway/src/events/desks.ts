import { type Input, type Output, SERVICES, type ServiceName } from '@cds/contracts';
import type { Client, Ctx, EventAdmin } from '@cds/service';

type Four<S extends Exclude<ServiceName, 'gateway'>> =
  | `${S}_dead_letters`
  | `${S}_dead_letter_retry`
  | `${S}_republish`
  | `${S}_republish_progress`;

/** The operations on events of the five services that the gateway calls. */
export type EventCalls = Client<Four<Exclude<ServiceName, 'gateway'>>>;

/** What can be asked of one service about its events. */
export type Desk = {
  deadLetters: (ctx: Ctx, input: Input<'billing_dead_letters'>) => Promise<Output<'billing_dead_letters'>>;
  retry: (ctx: Ctx, input: Input<'billing_dead_letter_retry'>) => Promise<Output<'billing_dead_letter_retry'>>;
  republish: (ctx: Ctx, input: Input<'billing_republish'>) => Promise<Output<'billing_republish'>>;
  progress: (ctx: Ctx) => Promise<Output<'billing_republish_progress'>>;
};
export type Desks = Readonly<Record<ServiceName, Desk>>;

/** All six services' desks: the gateway's own in this process, the others by the bus. */
export const desksOf = (own: EventAdmin, calls: EventCalls): Desks => {
  const mine: Desk = {
    deadLetters: (_ctx, input) => own.deadLetters(input),
    retry: (_ctx, input) => own.retry(input),
    republish: (_ctx, input) => own.republish(input),
    progress: () => own.progress(),
  };
  const byBus = (service: Exclude<ServiceName, 'gateway'>): Desk => ({
    deadLetters: (ctx, input) => calls[`${service}_dead_letters`](ctx, input),
    retry: (ctx, input) => calls[`${service}_dead_letter_retry`](ctx, input),
    republish: (ctx, input) => calls[`${service}_republish`](ctx, input),
    progress: (ctx) => calls[`${service}_republish_progress`](ctx, {}),
  });
  return Object.fromEntries(
    SERVICES.map((service) => [service, service === 'gateway' ? mine : byBus(service)]),
  ) as Record<ServiceName, Desk>;
};

/** The desks of one service, or of all where none is named. */
export const desksFor = (desks: Desks, service: ServiceName | undefined): readonly Desk[] =>
  service === undefined ? Object.values(desks) : [desks[service]];
