import { ApiFailure, CdsError, ConnectionError } from '@cds/sdk';
import { clean, paintFor } from './output.js';
import type { World } from './world.js';

/** How the process ends (docs/guides/sdk.md#exit-codes). */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  access: 3,
  unavailable: 4,
  declined: 5,
  interrupted: 130,
} as const;

/** A failure of the command line's own, with the next step and its exit code. */
export class CliError extends Error {
  readonly next: string;
  readonly exit: number;

  constructor(message: string, next: string, exit: number = EXIT.usage) {
    super(message);
    this.next = next;
    this.exit = exit;
  }
}

/** The next step for what a code, or a code with its reason, says (docs/guides/errors.md). */
const NEXT: Readonly<Record<string, string>> = {
  unauthorized: 'Log in again: cds login',
  forbidden: 'Ask a person at the brand for a key that may do this.',
  mandate_refused: 'Ask a person at the brand, and give them these numbers. Trying again does not help.',
  not_found: 'List again; ids of other workspaces are not found either.',
  filter_required: 'Narrow the list, with --segment, --q or another filter.',
  idempotency_conflict: 'Leave out --idempotency-key, or use a new one.',
  in_progress: 'Wait a moment, then run it again with the same --idempotency-key.',
  rate_limited: 'Wait until the limit resets.',
  internal: 'Run it again with the same --idempotency-key. If it persists, report the request id.',
  unavailable: 'Run it again later with the same --idempotency-key.',
  'conflict terms_changed': 'The plan has changed. Read it again: cds plan quote PLAN',
  'conflict over_budget': 'Remove a line or swap it for a cheaper one: cds plan swap PLAN LINE UNIT',
  'conflict lines_blocked': 'Remove, swap or move the lines that are blocked: cds plan quote PLAN',
  'conflict already_in_plan': "Remove the creator's line first, then add the other format.",
  'conflict plan_signed': 'A signed plan cannot change. Read its campaign: cds campaign CAMPAIGN',
  'conflict last_creator': 'Swap the line instead: a plan keeps at least one creator.',
  'conflict bad_dates': 'Start today or later, end on or after the start and within a year.',
  'conflict archived': 'Unarchive the campaign in the app.',
  'mandate_refused terms_not_accepted': 'A person accepts the brand terms for this key in Developers.',
};

const nextOf = (error: ApiFailure): string => {
  const { reason } = error.details;
  return NEXT[`${error.code} ${String(reason)}`] ?? NEXT[error.code] ?? 'Correct it and run it again.';
};

const exitOf = ({ code }: ApiFailure): number => {
  switch (code) {
    case 'unauthorized':
    case 'forbidden':
      return EXIT.access;
    case 'rate_limited':
    case 'unavailable':
    case 'internal':
    case 'in_progress':
      return EXIT.unavailable;
    case 'bad_request':
    case 'unprocessable':
    case 'filter_required':
    case 'method_not_allowed':
      return EXIT.usage;
    default:
      return EXIT.refused;
  }
};

/** A failure as it is shown: what happened, what to do, and values for whoever reports it. */
export type Failure = {
  exit: number;
  message: string;
  next: string;
  facts: Record<string, unknown>;
};

const ofApi = (error: ApiFailure): Failure => ({
  exit: exitOf(error),
  message: error.message,
  next: nextOf(error),
  facts: {
    code: error.code,
    ...error.details,
    request_id: error.requestId,
    receipt_id: error.receiptId,
    ...(error.retryable ? { idempotency_key: error.idempotencyKey } : {}),
  },
});

const unknown = (idempotencyKey: string): string =>
  `Whether it took effect is unknown. Run it again with --idempotency-key ${idempotencyKey}`;

const ofConnection = ({ message, idempotencyKey }: ConnectionError): Failure => ({
  exit: EXIT.unavailable,
  message,
  next: idempotencyKey === null ? 'Check the address and run it again.' : unknown(idempotencyKey),
  facts: { idempotency_key: idempotencyKey },
});

/** Ctrl+C; `idempotencyKey` belongs to the write that has no answer yet. */
export const interrupted = (idempotencyKey: string | null): Failure => ({
  exit: EXIT.interrupted,
  message: 'Interrupted.',
  next: idempotencyKey === null ? '' : unknown(idempotencyKey),
  facts: { idempotency_key: idempotencyKey },
});

export const failureOf = (error: unknown): Failure => {
  if (error instanceof ApiFailure) return ofApi(error);
  if (error instanceof ConnectionError) return ofConnection(error);
  if (error instanceof CliError) return { exit: error.exit, message: error.message, next: error.next, facts: {} };
  if (error instanceof CdsError || error instanceof TypeError)
    return { exit: EXIT.usage, message: error.message, next: 'Check the address and the arguments.', facts: {} };
  throw error;
};

const shown = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : clean(String(value)));

export const report = (failure: Failure, world: World, json: boolean): void => {
  const { message, next, facts } = failure;
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== undefined));
  if (json) {
    world.err(`${JSON.stringify({ error: { message, next, ...known } })}\n`);
    return;
  }
  const paint = paintFor(world, 'err');
  const lines = [
    `${paint('red', 'error')}  ${clean(message)}`,
    ...(next === '' ? [] : [`next   ${next}`]),
    ...Object.entries(known).flatMap(([name, value]) =>
      name === 'problems' && Array.isArray(value)
        ? value.map((one: { field: string; message: string }) => `       ${clean(one.field)} ${clean(one.message)}`)
        : [paint('dim', `       ${name}: ${shown(value)}`)],
    ),
  ];
  world.err(`${lines.join('\n')}\n`);
};
