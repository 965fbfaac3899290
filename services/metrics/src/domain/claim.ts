// What a brand claims about a post, and what the team decides (docs/domain/orders.md#claims).
import type { ClaimKind, ClaimRemedy } from '@cds/contracts';
import { CLAIM_DECIDED_WITHIN_MS, CLAIM_PLAYED_AFTER_MS } from './constants.js';

/** A claim on a line, open until it is decided. Amounts are US cents. */
export type Claim = {
  id: string;
  attempt: number;
  claim: ClaimKind;
  text: string;
  evidence: string[];
  opened_at: Date;
  opened_by: string;
  /** When it has to be decided. */
  due_at: Date;
  /** When a sandbox's team decides; null in a live workspace. */
  played_at: Date | null;
  decided: { remedy: ClaimRemedy; amount_cents: number | null; reason: string; at: Date; by: string } | null;
};

/** The claim of a line that waits for its decision. */
export const openClaim = ({ claims }: { claims?: readonly Claim[] }): Claim | null =>
  claims?.find(({ decided }) => decided === null) ?? null;

/** A claim that is made at `at`. */
export const newClaim = (
  of: Pick<Claim, 'id' | 'attempt' | 'claim' | 'text' | 'evidence' | 'opened_by'>,
  at: Date,
  sandbox: boolean,
): Claim => ({
  ...of,
  opened_at: at,
  due_at: new Date(at.getTime() + CLAIM_DECIDED_WITHIN_MS),
  played_at: sandbox ? new Date(at.getTime() + CLAIM_PLAYED_AFTER_MS) : null,
  decided: null,
});

/** The claims with the open one decided. */
export const withDecision = (claims: readonly Claim[], decided: NonNullable<Claim['decided']>): Claim[] =>
  claims.map((claim) => (claim.decided === null ? { ...claim, decided, played_at: null } : claim));
