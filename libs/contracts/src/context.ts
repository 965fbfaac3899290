import type { OperatorRole } from './operator.js';
import type { BrandRole } from './person.js';
import type { Scope } from './scope.js';
import type { ServiceName } from './service.js';

/** The limits that a brand set on a key; null when none is set (domain 3-orders 2.1). Times are ISO instants. */
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

/** Who asks: a brand's key, a person of a brand, an operator's token, or the system itself (a sweep, a consumer). */
export type Principal = {
  audience: 'brand' | 'person' | 'operator' | 'system';
  /** The workspace's uuid; empty for operators and the system when no workspace is meant. */
  workspace: string;
  workspace_name: string;
  /** The workspace that creator reads are booked in: the live one of the brand (domain 4-doors 3.3); empty where `workspace` is. */
  reads_workspace: string;
  sandbox: boolean;
  /** The key's uuid (never the public id); empty for operators and the system. */
  key: string;
  scopes: readonly Scope[];
  /** null when the key has none; then `mandate_version` still tells the newest version, for the gate. */
  mandate: PrincipalMandate | null;
  mandate_version: number;
  /** Of an operator: who it is, for the audit, and the role. */
  operator?: { id: string; name: string; role: OperatorRole };
  /** Of a person of a brand: who it is, for the audit, and the role in the workspace. */
  person?: { id: string; role: BrandRole };
};

/** The operator's switches, as they stood when the request came in (domain 4-doors 4). */
export type Switches = {
  payments_open: boolean;
  writes_open: boolean;
  invoice_rail: boolean;
  deprecated_fields: boolean;
  extensions: boolean;
};

export const DEFAULT_SWITCHES: Switches = {
  payments_open: true,
  writes_open: true,
  invoice_rail: true,
  deprecated_fields: true,
  extensions: false,
};

/** The identity of a write under its Idempotency-Key (reliability 3.2): SHA-256 of key and Idempotency-Key, and the request's fingerprint. */
export type Command = { id: string; fp: string };

/** What crosses the bus beside the input, signed by the sender for one addressee and operation (reliability 3.3, 3.20). */
export type WireContext = {
  iss: ServiceName;
  aud: ServiceName;
  /** Of this one frame; a retry is another frame. An internal write takes each frame once. */
  frame_id: string;
  request_id: string;
  /** Made by the gateway for each inbound request; what meters and retries of reads are booked by. */
  attempt_id: string;
  traceparent: string;
  principal: Principal;
  command: Command | null;
  /** Business time of this request: database time plus the sandbox offset, ISO. */
  now: string;
  /** Database time of this request, ISO: the network's time (domain 1-network). */
  network_now: string;
  /** Absolute deadline, milliseconds since the epoch, and what remained when it was sent: the smaller wins. */
  deadline: number;
  remaining_ms: number;
  switches: Switches;
};
