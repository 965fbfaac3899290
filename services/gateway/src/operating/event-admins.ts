import {
  AppError,
  type DeadLetter,
  type Input,
  notFound,
  type Output,
  SERVICES,
  type ServiceName,
} from '@cds/contracts';
import type { Client, Ctx, EventAdmin as OwnEventAdmin } from '@cds/service';

export type OtherService = Exclude<ServiceName, 'gateway'>;
type EventOperation<S extends OtherService> =
  | `${S}_dead_letters`
  | `${S}_dead_letter_retry`
  | `${S}_dead_letter_close`
  | `${S}_republish`
  | `${S}_republish_progress`;

export type EventCalls = Client<EventOperation<OtherService>>;

export type EventAdmin = {
  deadLetters: (ctx: Ctx, input: Input<'billing_dead_letters'>) => Promise<Output<'billing_dead_letters'>>;
  retry: (ctx: Ctx, input: Input<'billing_dead_letter_retry'>) => Promise<Output<'billing_dead_letter_retry'>>;
  close: (ctx: Ctx, input: Input<'billing_dead_letter_close'>) => Promise<Output<'billing_dead_letter_close'>>;
  republish: (ctx: Ctx, input: Input<'billing_republish'>) => Promise<Output<'billing_republish'>>;
  progress: (ctx: Ctx) => Promise<Output<'billing_republish_progress'>>;
};
export type EventAdmins = Readonly<Record<ServiceName, EventAdmin>>;

/** One for each of the six services: the gateway's own in this process, the others over the bus. */
export const eventAdminsOf = (own: OwnEventAdmin, calls: EventCalls): EventAdmins => {
  const local: EventAdmin = {
    deadLetters: (_ctx, input) => own.deadLetters(input),
    retry: (_ctx, input) => own.retry(input),
    close: (_ctx, input) => own.close(input),
    republish: (_ctx, input) => own.republish(input),
    progress: () => own.progress(),
  };
  const remote = (service: OtherService): EventAdmin => ({
    deadLetters: (ctx, input) => calls[`${service}_dead_letters`](ctx, input),
    retry: (ctx, input) => calls[`${service}_dead_letter_retry`](ctx, input),
    close: (ctx, input) => calls[`${service}_dead_letter_close`](ctx, input),
    republish: (ctx, input) => calls[`${service}_republish`](ctx, input),
    progress: (ctx) => calls[`${service}_republish_progress`](ctx, {}),
  });
  return Object.fromEntries(
    SERVICES.map((service) => [service, service === 'gateway' ? local : remote(service)]),
  ) as Record<ServiceName, EventAdmin>;
};

/** The letter that some service has. Raises not_found, and unavailable while one that may have it is silent. */
export const letterOf = async (
  act: (service: ServiceName) => Promise<{ letter: DeadLetter | null }>,
): Promise<DeadLetter> => {
  // An id does not name its service; the others answer that they have no such letter.
  const { answers, unavailable } = await askEach(SERVICES, act);
  const letter = answers.map((answer) => answer.letter).find((one) => one !== null);
  if (letter !== undefined) return letter;
  if (unavailable.length === 0) throw notFound('dead letter');
  throw new AppError(
    'unavailable',
    `No service that answered has this dead letter, and these did not answer: ${unavailable.join(', ')}. Retry later with the same Idempotency-Key.`,
    { retry_after: 2, unavailable },
  );
};

export const servicesOr = (service: ServiceName | undefined): readonly ServiceName[] =>
  service === undefined ? SERVICES : [service];

/** Asks services at once. Unavailable ones are named, so that they hide no answer; other errors are raised. */
export const askEach = async <Answer>(
  services: readonly ServiceName[],
  ask: (service: ServiceName) => Promise<Answer>,
): Promise<{ answers: Answer[]; unavailable: ServiceName[] }> => {
  const unavailable: ServiceName[] = [];
  const answers = await Promise.all(
    services.map((service) =>
      ask(service).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
        unavailable.push(service);
        return undefined;
      }),
    ),
  );
  return { answers: answers.filter((answer) => answer !== undefined), unavailable };
};
