import type { DeprecatedUntil } from './deprecated.js';
import type { BrandRole, OperatorRole } from './roles.js';
import type { Scope } from './scope.js';
import type { ServiceName } from './service.js';

/** The limits that a brand set on a key; null when there are none (docs/domain/orders.md#mandate). Times are ISO. */
export type PrincipalMandate = {
  version: number;
  max_plan_cents: number;
  monthly_cap_cents: number;
  channels: string[];
  may_approve: boolean;
  expires_at: string;
  updated_at: string;
  terms_version: string | null;
  terms_accepted_at: string | null;
  terms_accepted_email: string | null;
};

/** The key that made a child key: its uuid, and the monthly cap (0 without one) and version of its mandate. */
export type PrincipalParent = { key: string; monthly_cap_cents: number; mandate_version: number };

/** Who asks. `system` is the system itself, such as a sweep or a consumer. */
export type Principal = {
  audience: 'brand' | 'person' | 'guest' | 'operator' | 'creator' | 'relay' | 'system';
  /** The workspace's uuid; empty for operators and the system when no workspace is meant. */
  workspace: string;
  workspace_name: string;
  /** Where creator reads are metered: the live workspace (docs/domain/access.md#workspaces); empty without one. */
  reads_workspace: string;
  sandbox: boolean;
  /** The key's uuid (never the public id); empty for everyone else. */
  key: string;
  scopes: readonly Scope[];
  /** null if the key has none; `mandate_version` still holds the newest version, for the gate. */
  mandate: PrincipalMandate | null;
  mandate_version: number;
  /** Of a child key: the key it was made by, whose limits it counts in too (docs/domain/access.md#child-keys). */
  parent?: PrincipalParent;
  /**
   * The rights that the caller depends on, each with its version (docs/reliability.md#ended-rights). A signing ends
   * with any of them; absent in contexts of an older release.
   */
  rights?: Readonly<Record<string, number>>;
  /** When the key, or its parent, expires, ISO, by the database's clock; absent when neither does. */
  until?: string;
  /** Of a client that a person let act as the key: its grant (docs/domain/sign-in.md#mcp-sign-in). */
  grant?: string;
  /** Of an operator: id and name for the audit, the role, and a signed-in person's session. */
  operator?: { id: string; name: string; role: OperatorRole; session?: string };
  /** Of a person of a brand: id for the audit, as which member, the role in the workspace, and the session's id. */
  person?: { id: string; member?: string; role: BrandRole; session?: string };
  /** Of a guest: its client address as a keyed hash, by which its quotes are counted (docs/domain/mcp.md#guests). */
  guest?: { address: string };
  /** Of a creator: its own id, and the proposal that the link opens, with the line and attempt it is about. */
  creator?: { id: string; proposal: string; line: string; attempt: number };
};

/** The operator's switches when the request arrived (docs/domain/operators.md#switches). */
export type Switches = {
  payments_open: boolean;
  writes_open: boolean;
  invoice_rail: boolean;
  deprecated_until: DeprecatedUntil;
  extensions: boolean;
};

export const DEFAULT_SWITCHES: Switches = {
  payments_open: true,
  writes_open: true,
  invoice_rail: true,
  deprecated_until: {},
  extensions: false,
};

/** A write's identity (docs/reliability.md#idempotency): SHA-256 of key and Idempotency-Key, and its fingerprint. */
export type Command = { id: string; fp: string };

/** Crosses the bus with the input, signed for one recipient and operation (docs/reliability.md#authentication). */
export type WireContext = {
  iss: ServiceName;
  aud: ServiceName;
  /** Unique per frame; a retry is another frame. An internal write accepts each frame once. */
  frame_id: string;
  request_id: string;
  /** Made by the gateway for each inbound request; meters and retries of reads are counted by it. */
  attempt_id: string;
  traceparent: string;
  principal: Principal;
  command: Command | null;
  /** Business time of this request: database time plus the sandbox offset, ISO. */
  now: string;
  /** Database time of this request, ISO: the network's time (docs/domain/network.md#the-network). */
  network_now: string;
  /** Absolute deadline in epoch milliseconds, and the time that remained at sending; the sooner one applies. */
  deadline: number;
  remaining_ms: number;
  switches: Switches;
};
