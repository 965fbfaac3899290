import type { z } from 'zod';
import type { ConflictReason } from './error.js';
import type { OperatorRole } from './operator.js';
import type { BrandRole } from './person.js';
import type { Scope } from './scope.js';
import type { ServiceName } from './service.js';

/** Who an operation is for; a credential of one audience is unknown at every other (domain 4-doors 1). */
export type Audience = 'brand' | 'person' | 'public' | 'sandbox' | 'operator' | 'internal';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Hints of a tool; all four are always sent (domain 4-doors 14). */
export type ToolHints = { readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean };

/**
 * One operation, declared once (design 2). REST route, scope check, demand for an Idempotency-Key, MCP tool, OpenAPI
 * entry, NATS subject, typed client and the tests of the matrix all come from here.
 */
export type OperationDeclaration = {
  /** The tool name of the specification, in snake case. */
  name: string;
  service: ServiceName;
  audience: Audience;
  /** Path with {names} in braces; `root` says whether it starts at the API root (v1) or at the application's root (app). Absent: bus only. */
  rest?: { method: Method; path: string; root: 'v1' | 'app' };
  /** A scope, `any` for every valid key, null where no key is needed. */
  scope: Scope | 'any' | null;
  effect: 'read' | 'write';
  /**
   * Of an operator's operation: the role whose area it is, or `writer` for every role that may write. Reads are open to
   * every role; without it only a lead may.
   */
  role?: OperatorRole | 'writer';
  /** Of a person's operation: the least role of a brand's people that may call it. */
  atLeast?: BrandRole;
  /** The body is a file of one of these types, at most so large; it reaches the service in chunks, and the input names it. */
  upload?: { maxBytes: number; types: readonly ('json' | 'csv')[] };
  /** Whether a write demands its Idempotency-Key; `optional` for feedback and price requests. Reads: absent. */
  idempotency?: 'required' | 'optional';
  /** Whether a write keeps its answer itself, so that no command record is stored for it. */
  ownRecord?: true;
  /** The MCP tool, if any. `rank` is its place in tools/list; `also` are other accepted names of an argument. */
  tool?: { rank: number; title: string; description: string; hints: ToolHints; also?: Record<string, string> };
  /** Beyond the specification: its tool stands on the keyed door only while the operator's switch `extensions` is on. */
  extension?: true;
  /** One sentence for readers of the documents. */
  summary: string;
  /** The parts of the input. A part left out takes nothing: a query or body field sent anyway is 400. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /**
   * The read between services that tells what else is wrong with a body that has wrong values already, as far as only the
   * owner knows it: one 422 tells all at once.
   */
  judge?: string;
  /** Body fields that are accepted with any value and dropped before the handler and the fingerprint. */
  ignored?: readonly string[];
  output: z.ZodType;
  /** 200 unless said otherwise. */
  success?: 200 | 201 | 202;
  /** The Cache-Control of a successful answer by REST; `no-store` by default. */
  cacheControl?: string;
  conflicts?: readonly ConflictReason[];
  /** Fields of the answer that are served past their sunset until the operator's switch drops them, with their sunset days. */
  deprecated?: { fields: readonly string[]; sunset: string };
  meters?: readonly string[];
  /**
   * Of an internal write: an id in its input makes a repeat find what stands, so its frames are not remembered. Every
   * other internal write takes a frame once.
   */
  byOwnId?: true;
  /** Who may call an internal operation; the gateway may call every operation with a door. */
  callers?: readonly ServiceName[];
};

export const defineOperation = <const D extends OperationDeclaration>(declaration: D): D => declaration;

/** A part that is not declared adds no field. */
type Shape<T> = T extends z.ZodObject ? z.output<T> : Record<never, never>;

/** A file that was sent in chunks before the operation: its id, how many chunks it has, and what it is. */
export type UploadRef = { id: string; chunks: number; bytes: number; type: 'json' | 'csv' };

type Uploaded<T> = T extends { maxBytes: number } ? { upload: UploadRef } : Record<never, never>;

/** The flat input of an operation: params, query and body merged, named as in REST, and the file that was sent. */
export type InputOf<D extends OperationDeclaration> = Shape<D['params']> &
  Shape<D['query']> &
  Shape<D['body']> &
  Uploaded<D['upload']>;

/** The answer of an operation, as it stands on the wire. */
export type OutputOf<D extends OperationDeclaration> = z.input<D['output']>;

/** The NATS subject of an operation (design 4). */
export const subjectOf = (operation: Pick<OperationDeclaration, 'service' | 'name'>): string =>
  `cds.${operation.service}.${operation.name}`;
