import type { Verdict } from '@cds/contracts';
import type { Outcome } from '@cds/service';
import type { Caps } from '../domain/account.js';
import type { AuthorityView, Hold } from '../domain/authority.js';

/**
 * The states of one signing (docs/reliability.md#authority, docs/reliability.md#signing). The approve takes every step;
 * a retry of its key and the recovery worker (R) take the steps from `refusal_held` and `undecided` on, once the
 * approve went silent. Whoever takes a step, its statements are keyed by signing or order, so two runners end in the
 * same place.
 *
 *     agreed ──reserve──▶ reserved ──confirm──▶ confirmed ──plan_sign──▶ signed | refused | closed
 *                                                   │ no reply
 *                                                   ▼
 *                                               undecided ──plan_sign_close (R)──▶ signed | refused | closed
 *
 *     rejected ──hold the refusal──▶ refusal_held ──store the refusal, release (R)──▶ ended
 *
 *     signed  ──write the order (R)──▶ ordered ──clean up the hold (R)──▶ ended
 *     refused ──store the refusal, release (R)──▶ ended
 *     closed  ──release (R)──▶ ended
 *
 * Another hold of the same command found on the way (`existing`) is resolved, and the approve begins again. So it does
 * when the cap is spent or the brand terms change before `confirmed`.
 */
export type Signing =
  | Agreed
  | Rejected
  | Existing
  | RefusalHeld
  | Reserved
  | Confirmed
  | Undecided
  | Decided
  | Ordered
  | Ended
  | BeginAgain;

/** Step 0 found nothing against it; nothing is held yet. */
export type Agreed = { state: 'agreed'; wanted: Hold; view: AuthorityView; caps: Caps };
/** Step 0 refused; `wanted` carries the refusal and 0 cents. Nothing is held yet. */
export type Rejected = { state: 'rejected'; wanted: Hold; view: AuthorityView };
/** The command has another hold already. `now` is database time. */
export type Existing = { state: 'existing'; hold: Hold; now: Date };
/** The hold of a refusal: it alone entitles its runner to store the refusal. */
export type RefusalHeld = { state: 'refusal_held'; hold: Hold };
/** The cents are held. */
export type Reserved = { state: 'reserved'; hold: Hold };
/** The cents are held under the brand terms in force, and the command has no answer yet. */
export type Confirmed = { state: 'confirmed'; hold: Hold };
/** Planning may or may not have signed: it must be asked before anything is released. */
export type Undecided = { state: 'undecided'; hold: Hold };
/** Planning's verdict, which never changes. */
export type Decided = { state: Verdict['kind']; hold: Hold; verdict: Verdict };
/** The order exists. `outcome` is null when another runner wrote it. */
export type Ordered = { state: 'ordered'; hold: Hold; outcome: Outcome | null };
/** Nothing is held any more. `outcome` is null when the answer is in the commands row or nowhere. */
export type Ended = { state: 'ended'; outcome: Outcome | null };
/** The approve goes back to step 0. */
export type BeginAgain = { state: 'begin_again' };

export const ended = (outcome: Outcome | null): Ended => ({ state: 'ended', outcome });
export const BEGIN_AGAIN: BeginAgain = { state: 'begin_again' };

/** Who takes a step: the approve itself, or whoever finishes what it left. */
export type Runner = 'approve' | 'recovery';

/** Called before each step with the state it leaves: where fault tests stop a signing. */
export type Checkpoint = (by: Runner, state: Signing['state']) => Promise<void>;
