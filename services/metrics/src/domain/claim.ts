// What a brand claims about a post, and what the team decides (docs/domain/orders.md#claims).
import type { ClaimKind, ClaimRemedy } from '@cds/contracts';
import { CLAIM_DECIDED_WITHIN_MS, CLAIM_PLAYED_AFTER_MS } from './constants.js';

export type Claim = {
  id: string;
  attempt: number;
  claim: ClaimKind;
  text: string;
  evidence: string[];
  opened_at: Date;
  opened_by: string;
  due_at: Date;
  played_at: Date | null;
  decided: { remedy: ClaimRemedy; amount_cents: number | null; reason: string; at: Date; by: string } | null;
};

export const openClaim = ({ claims }: { claims?: readonly Claim[] }): Claim | null =>
  claims?.find(({ decided }) => decided === null) ?? null;

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

export const withDecision = (claims: readonly Claim[], decided: NonNullable<Claim['decided']>): Claim[] =>
  claims.map((claim) => (claim.decided === null ? { ...claim, decided, played_at: null } : claim));
