import type {
  Input,
  OperationName,
  OperationNameOf,
  Operations,
  Output,
  ServiceName,
  ShellOperationName,
} from '@cds/contracts';
import type { Ctx } from '../bus/context.js';
import type { Encoded } from '../bus/envelope.js';
import type { Change } from '../commands/change.js';
import type { Outcome } from '../commands/commands.js';

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;

export const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** A read: load and present. It returns a value, or JSON that is already encoded. */
export type ReadHandler<N extends OperationName, Deps> = (
  ctx: Ctx,
  input: Input<N>,
  deps: Deps,
) => Promise<Output<N> | Encoded>;

/** Returns the change that the shell commits; one that is idempotent by an id of its own commits itself. */
export type WriteHandler<N extends OperationName, Deps> = (
  ctx: Ctx,
  input: Input<N>,
  deps: Deps,
) => Promise<Change<Output<N>> | Output<N> | RecordedOutcome>;

/** The outcome of a write that keeps its own record, as approve does. */
export class RecordedOutcome {
  constructor(readonly outcome: Outcome) {}
}

export type Handler<N extends OperationName, Deps = never> = Operations[N]['effect'] extends 'read'
  ? ReadHandler<N, Deps>
  : WriteHandler<N, Deps>;

/** One handler for each declared operation of a service, by its name in camelCase. */
type Handlers<S extends ServiceName, Deps> = {
  [N in Exclude<OperationNameOf<S>, ShellOperationName> as Camel<N>]: Handler<N, Deps>;
};

export type DepsOf<H> = H[keyof H] extends (ctx: never, input: never, deps: infer Deps) => unknown ? Deps : never;

/** Exactly one handler for each declared operation but the shell's, as `handlers.ts` must export. */
export type OneHandlerEach<S extends ServiceName, H> = Handlers<S, DepsOf<H>> & {
  [Undeclared in Exclude<keyof H, keyof Handlers<S, never>>]: never;
};
