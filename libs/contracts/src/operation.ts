import type { z } from 'zod';
import type { Brief } from './brief.js';
import type { ConflictReason } from './error.js';
import type { Meter } from './limits.js';
import type { BrandRole, OperatorRole } from './roles.js';
import type { Scope } from './scope.js';
import type { ServiceName } from './service.js';

/**
 * A credential of one audience is unknown to every other (docs/domain/access.md#endpoints). A visitor has none: whoever
 * signs up or in; nor has a guest, who reaches its own tools only.
 */
export type Audience =
  | 'brand'
  | 'person'
  | 'visitor'
  | 'guest'
  | 'public'
  | 'sandbox'
  | 'operator'
  | 'creator'
  | 'relay'
  | 'internal';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Hints of a tool; all four are always sent (docs/domain/mcp.md#mcp). */
type ToolHints = { readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean };

/** Declared once: everything else is derived from it (docs/adr/0005-one-declaration-per-operation.md). */
export type OperationDeclaration = {
  name: string;
  service: ServiceName;
  audience: Audience;
  /** Absent for the bus only. `path` has parameters in braces, below the API root (v1) or the host (app). */
  rest?: { method: Method; path: string; root: 'v1' | 'app' };
  /** A scope, `any` for every valid key, or null if no key is needed. */
  scope: Scope | 'any' | null;
  effect: 'read' | 'write';
  /** The role whose area it is, `writer` for every role that may write; every role may read. Without it, leads only. */
  role?: OperatorRole | 'writer' | 'everyone';
  /** Of a person's operation: the lowest role that may call it. */
  atLeast?: BrandRole;
  /** The body is a file of one of these types, at most this large; it reaches the service in chunks first. */
  upload?: { maxBytes: number; types: readonly ('json' | 'csv')[] };
  /** A body of text/csv is this text field, and a body of either type may have this size. */
  csv?: { field: string; maxBytes: number };
  /** Whether a write requires an Idempotency-Key; `optional` for feedback and price requests. Absent for reads. */
  idempotency?: 'required' | 'optional';
  /** A write that stores its own answer, so that no command record is written for it. */
  ownRecord?: true;
  /**
   * `name` only where it is not the operation's; `rank` is its place in tools/list; `also` maps accepted aliases to
   * arguments. With `brief` it takes the argument `view`.
   */
  tool?: {
    name?: string;
    rank: number;
    title: string;
    description: string;
    hints: ToolHints;
    also?: Record<string, string>;
    brief?: Brief;
  };
  /** Beyond the specification: its tool is listed only while the operator's switch `extensions` is on. */
  extension?: true;
  summary: string;
  /** The parts of the input. Without a part, any query or body field is 400. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The internal read that adds what only the owning service finds wrong with a body, so that one 422 lists all. */
  judge?: string;
  /** Whether it refuses what is stored as 422, as a body is: a brief that lacks fields. */
  judgesStored?: true;
  /** Body fields that are accepted with any value and dropped before the fingerprint and the handler. */
  ignored?: readonly string[];
  output: z.ZodType;
  /** 200 by default. With 204 the answer is null and has no body. */
  success?: 200 | 201 | 202 | 204;
  /** The media type of a successful answer that is not JSON; the handler then returns encoded text. */
  mediaType?: 'application/x-ndjson' | 'text/event-stream';
  /** A read that may wait for something to happen, and so has the deadline of a write. */
  waits?: true;
  /** The Cache-Control of a successful REST answer; `no-store` by default. */
  cacheControl?: string;
  conflicts?: readonly ConflictReason[];
  /** Fields of the answer that end on a day of their own (`deprecated.ts`). */
  deprecated?: readonly string[];
  meters?: readonly Meter[];
  /** Whether it may raise a plan's total, and so is refused above the largest one of the mandate. */
  raisesTotal?: true;
  /** An internal write that an id in its input makes idempotent; every other one accepts a frame once. */
  byOwnId?: true;
  /** Who may call an internal operation. The gateway may call every operation with a REST endpoint. */
  callers?: readonly ServiceName[];
};

type Declared = Omit<OperationDeclaration, 'name' | 'service'>;

/** Operations of one service, each under the name that its key says. */
export const defineOperations = <S extends ServiceName, const D extends Readonly<Record<string, Declared>>>(
  service: S,
  declared: D,
): { readonly [N in keyof D]: D[N] & { name: N; service: S } } =>
  Object.fromEntries(Object.entries(declared).map(([name, one]) => [name, { ...one, name, service }])) as {
    readonly [N in keyof D]: D[N] & { name: N; service: S };
  };

/** Operations that several services have, each named by its service and its key. */
export const definePerService = <const S extends ServiceName, const D extends Readonly<Record<string, Declared>>>(
  service: S,
  declared: D,
): { readonly [K in keyof D & string as `${S}_${K}`]: D[K] & { name: `${S}_${K}`; service: S } } =>
  Object.fromEntries(
    Object.entries(declared).map(([key, one]) => [`${service}_${key}`, { ...one, name: `${service}_${key}`, service }]),
  ) as { readonly [K in keyof D & string as `${S}_${K}`]: D[K] & { name: `${S}_${K}`; service: S } };

/** An undeclared part adds no fields. */
type Shape<T> = T extends z.ZodObject ? z.output<T> : Record<never, never>;

export type UploadRef = { id: string; chunks: number; bytes: number; type: 'json' | 'csv' };

type Uploaded<T> = T extends { maxBytes: number } ? { upload: UploadRef } : Record<never, never>;

/** The flat input of an operation: params, query and body merged, named as in REST, and the uploaded file. */
export type InputOf<D extends OperationDeclaration> = Shape<D['params']> &
  Shape<D['query']> &
  Shape<D['body']> &
  Uploaded<D['upload']>;

export type OutputOf<D extends OperationDeclaration> = z.input<D['output']>;

/** The NATS subject of an operation (docs/reliability.md#subjects). */
export const subjectOf = (operation: Pick<OperationDeclaration, 'service' | 'name'>): string =>
  `cds.${operation.service}.${operation.name}`;
