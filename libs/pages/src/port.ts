import type { Readable } from 'node:stream';
import type { ErrorBody, Input, Key, OperationName, Output, PrincipalMandate } from '@cds/contracts';

/** How long an endpoint may take: as long as a read or a write of the API. */
export type Limit = 'read' | 'write';

export type Answer = {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | string | Readable;
  /** For the access line: `ok`, or an error's code. */
  code: string;
  error?: ErrorBody;
  /** The validator of the body; the gateway answers 304 to a client that holds it. */
  etag?: string;
};

export type Endpoint = {
  limit: Limit;
  answer: (request: PageRequest, params: Record<string, string>) => Promise<Answer>;
};

export type Route = { path: string; method: string; target: Endpoint };

/** Each counts the requests of a client address separately from the others (docs/domain/requests.md#rate-limits). */
export type Window = 'pages' | 'visitors' | 'pictures';

/** One request, with everything that a page may ask of the gateway. */
export type PageRequest = {
  readonly appUrl: string;
  readonly path: string;
  readonly requestId: string;
  /** A value of the query; empty without one. */
  query: (name: string) => string;
  /** Every value of a header, whose name is in lower case. */
  header: (name: string) => string[];
  fields: () => Promise<URLSearchParams>;
  cookie: (name: string) => string | null;
  /** Sets a cookie that no script and no other site's request sees; without a lifetime it ends with the browser. */
  setCookie: (name: string, value: string, maxAgeSeconds?: number) => void;
  /** Gives the request the time of one more read, for a file whose parts are read one by one. */
  readOn: () => void;
  /** What the public may know of a failure; the rest is logged. */
  refusal: (error: unknown) => Refusal;
  /** The person who is signed in; null without a living session. */
  session: (effect: Limit) => Promise<Person | null>;
  /** Whoever asks, counted by client address. */
  visitor: (window: Window) => Promise<Visitor>;
  /** Who signed an order, in the pay page's words. */
  signerOf: (workspace: string, keyId: string) => Promise<{ name: string; own: boolean } | null>;
  /** The sign-in of a client that this browser began. Raises not_found without one. */
  asked: (uid: string) => Promise<Asked>;
  refuse: (asked: Asked) => Promise<void>;
};

export type Refusal = { error: ErrorBody; status: number; headers: Record<string, string> };

export type Outcome<T> = { ok: true; value: T } | { ok: false; status: number; error: ErrorBody };

export type Sent = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** The Idempotency-Key, which a form's token stands for. */
  key?: string;
};

/** Operations between services whose callers hold the secret of a link, or need none. */
export type LinkOperation =
  | 'pay_page'
  | 'pay_checkout'
  | 'pay_rail'
  | 'pay_invoice'
  | 'pay_sandbox'
  | 'terms_current'
  | 'avatar_read';

/** Somebody who was admitted, with both clocks (docs/reliability.md#clocks). */
export type Visitor = {
  readonly now: Date;
  readonly networkNow: Date;
  /** Runs a public operation as REST and MCP do. A refusal of any step is returned, never raised. */
  call: <N extends OperationName>(name: N, sent?: Sent) => Promise<Outcome<Output<N>>>;
  /** Raises the refusal of the service that owns the operation. */
  ask: <N extends LinkOperation>(name: N, input: Input<N>) => Promise<Output<N>>;
  /** The tokens of forms, bound to whom `id` names. */
  formsOf: (id: string) => Forms;
  /** The creator whom a link's token lets in; null for one that opens nothing. */
  creator: (token: string) => Promise<Visitor | null>;
};

/** A person with a session, acting in one workspace. */
export type Person = Visitor & {
  /** The tokens of forms, bound to the session. */
  readonly forms: Forms;
  /** The mandate of the workspace's own agent key, with the terms that this person accepted. */
  readonly mandate: PrincipalMandate | null;
  /** Lets a client act as a key. */
  allow: (asked: Asked, key: Pick<Key, 'id' | 'public_id' | 'scopes'>) => Promise<void>;
};

/** The tokens of forms, each for the path that it is sent to (docs/domain/pages.md#forms-of-pages). */
export type Forms = {
  token: (path: string) => string;
  /** The Idempotency-Key that a token stands for; null for one that is foreign or too old. */
  keyOf: (token: string, path: string) => string | null;
};

/** A client that waits for a person's decision. Its name is what it calls itself. */
export type Asked = {
  uid: string;
  clientId: string;
  name: string;
  /** What its tokens will be for. */
  transport: 'mcp' | 'rest';
  /** Where its answer goes, in words. */
  to: string;
  /** The host that describes the client, for a client id that is an address. */
  describedBy: string | null;
};

/** Where the sign-in of clients is, and how many seconds it waits for the person's decision. */
export const CONNECT = { authorize: '/connect', ask: '/connect/ask', waitsS: 3_600 } as const;
