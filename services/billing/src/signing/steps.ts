import { AppError, type ApprovalEvidence, type ErrorBody, refused } from '@cds/contracts';
import {
  type Client,
  type Ctx,
  type MandateCheck,
  type MandateChecks,
  mandateCheck,
  mandateReason,
  type Outcome,
  RefusedWith,
  type Tx,
} from '@cds/service';
import type { Background, Dependencies } from '../dependencies.js';
import { accountOf, endOf, type Hold } from '../domain/authority.js';
import { HOLD_MS, UNPAID_MS } from '../domain/constants.js';
import type { Authorities } from '../store/authority.js';
import type { Receipts } from '../store/receipts.js';
import type { Terms } from '../store/terms.js';
import type { ReceiptIssuer } from './receipt-issuer.js';
import {
  APPROVE_PLAN,
  BEGIN_AGAIN,
  type BeginAgain,
  type Confirmed,
  type Decided,
  type Ended,
  ended,
  type Runner,
  type Undecided,
  underCommand,
} from './signing.js';

export type StepDependencies = Pick<Dependencies, 'commands' | 'log'> & {
  authorities: Authorities;
  checks: MandateChecks;
  receipts: Receipts;
  issuer: ReceiptIssuer;
  terms: Terms;
  background: Background;
  planning: Client<'plan_sign' | 'plan_sign_close'>;
};

export class SigningSteps {
  constructor(private readonly deps: StepDependencies) {}

  async stored(ctx: Ctx): Promise<Outcome | null> {
    return this.deps.commands.stored(ctx);
  }

  /** If brand terms were published meanwhile, the approve begins again, to test the key's acceptance of them. */
  async confirm(ctx: Ctx, hold: Hold): Promise<Confirmed | Ended | BeginAgain> {
    const { commands, terms } = this.deps;
    const [earlier, termsInForce] = await Promise.all([commands.stored(ctx), terms.newest()]);
    if (earlier !== null) {
      this.afterAnswer(() => this.release(hold));
      return ended(earlier);
    }
    if (termsInForce !== hold.terms_version) {
      await this.release(hold);
      return BEGIN_AGAIN;
    }
    return { state: 'confirmed', hold };
  }

  async askPlanning(ctx: Ctx, hold: Hold): Promise<Decided | Undecided> {
    const { parent_spent_cents: parentSpent } = hold.facts;
    const verdict = await this.deps.planning
      .plan_sign(
        { ...ctx, deadline: ctx.deadline.atMost(leftOf(hold)) },
        {
          signing_id: hold.signing_id,
          id: hold.plan_id,
          order_id: hold.order_id,
          version: hold.plan_version,
          terms_fingerprint: hold.terms_fingerprint,
          total_cents: hold.total_cents,
          approved_at: hold.approved_at.toISOString(),
          rail: hold.rail,
          pay_token: hold.pay_token,
          pay_expires_at: new Date(hold.approved_at.getTime() + UNPAID_MS).toISOString(),
          current_terms: hold.facts.current_terms,
          terms_url: hold.facts.terms_url,
          spent_cents: hold.facts.spent_cents,
          ...(parentSpent !== undefined && { parent_spent_cents: parentSpent }),
        },
      )
      .catch((error: unknown) => {
        this.deps.log.warn(
          { err: error, signing_id: hold.signing_id },
          'no verdict from planning: closing the signing',
        );
        return null;
      });
    return verdict === null ? { state: 'undecided', hold } : { state: verdict.kind, hold, verdict };
  }

  /** Asked even if the order exists: the call costs little, and writing the order then finds it by its id. */
  async closeAtPlanning(ctx: Ctx, hold: Hold): Promise<Decided> {
    const verdict = await this.deps.planning.plan_sign_close(ctx, {
      signing_id: hold.signing_id,
      workspace: hold.ws,
    });
    return { state: verdict.kind, hold, verdict };
  }

  async storeHeldRefusal(by: Runner, ctx: Ctx, hold: Hold): Promise<Ended> {
    if (hold.refusal === undefined) throw new Error(`the hold ${hold.signing_id} carries no refusal`);
    const { code, message, details } = hold.refusal;
    const error = new AppError(code, message, details);
    if (by === 'recovery') {
      const outcome = await this.storeRefusal(ctx, hold, error, hold.evidence);
      await this.release(hold);
      return ended(outcome);
    }
    const outcome = (await this.stored(ctx)) ?? (await this.storeRefusal(ctx, hold, error, hold.evidence));
    this.afterAnswer(() => this.release(hold));
    return ended(outcome);
  }

  async storeVerdict(ctx: Ctx, { hold, verdict }: Decided): Promise<Ended> {
    if (verdict.refusal === null) throw new Error(`the refused verdict ${hold.signing_id} carries no refusal`);
    const error = refused(verdict.refusal);
    // A plan that is gone is answered, never stored: a 404 binds no key (I08).
    const outcome: Outcome =
      error.code === 'not_found'
        ? { ok: false, status: 404, replayed: false, error: error.body() }
        : await this.storeRefusal(ctx, hold, error, verdict.evidence);
    await this.release(hold);
    return ended(outcome);
  }

  /** After the approve's answer, but at once for whoever recovers. */
  async cleanUp(by: Runner, hold: Hold): Promise<void> {
    const work = () => this.deps.authorities.cleanUp(hold, accountOf(hold.principal).document);
    if (by === 'recovery') await work();
    else this.afterAnswer(work);
  }

  async release(hold: Hold): Promise<void> {
    await this.deps.authorities.release(hold, accountOf(hold.principal).document);
  }

  /** The recovery worker does what fails here. */
  private afterAnswer(work: () => Promise<void>): void {
    this.deps.background.start(work, 'a hold is left to the recovery worker');
  }

  /** The first answer wins, even another request's; either way the hold is done. */
  private async storeRefusal(
    ctx: Ctx,
    hold: Hold,
    error: AppError,
    evidence: ApprovalEvidence | undefined,
  ): Promise<Outcome> {
    const { commands, checks, receipts, issuer } = this.deps;
    const check = recordedCheck(hold, error.body());
    const receipt = error.code === 'mandate_refused' ? await issuer.refused(hold, error.body(), evidence) : null;
    const save = async (tx: Tx): Promise<void> => {
      if (check !== null) await checks.add(tx, check);
      if (receipt !== null) await receipts.addRefusal(tx, receipt, accountOf(hold.principal).document, ctx.networkNow);
    };
    const stored = new RefusedWith(error, save, receipt?._id);
    return commands.refuse(underCommand(ctx, hold), APPROVE_PLAN, check === null && receipt === null ? error : stored);
  }
}

/** In milliseconds; the lease says when the signing reserved. */
const leftOf = (hold: Hold): number => endOf(hold).getTime() - (hold.until.getTime() - HOLD_MS);

/** Null if the mandate decided nothing (docs/domain/orders.md#mandate-workbench). */
export const recordedCheck = (hold: Hold, refusal: ErrorBody | null): MandateCheck | null => {
  const { check, principal, command_id, command_fp } = hold;
  if (check === undefined || (refusal !== null && refusal.code !== 'mandate_refused')) return null;
  const of = {
    principal,
    requestId: check.request_id,
    networkNow: check.at,
    command: { id: command_id, fp: command_fp },
  };
  const reason = refusal === null ? null : mandateReason(refusal.details?.['reason']);
  return mandateCheck(of, APPROVE_PLAN, check.asked, reason);
};
