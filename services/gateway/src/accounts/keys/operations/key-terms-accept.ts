import type { Mandate } from '@cds/contracts';
import type { Client, WriteHandler } from '@cds/service';
import {
  type ChangeKeyDeps,
  changeKey,
  completed,
  mustBeActive,
  mustNotBeChild,
  mustNotBeOwn,
  raiseGate,
} from '../change-key.js';
import { acceptTerms } from '../domain/terms.js';
import { spentBy } from '../key-use.js';
import { acceptanceRow } from '../mandate-changes.js';
import { presentMandate } from '../present-key.js';
import { type Accepting, acceptedBy, approvalNotAllowed, superseded } from '../terms-acceptance.js';

type Deps = ChangeKeyDeps &
  Accepting & {
    billing: Client<'gate_raise' | 'keys_spent' | 'terms_current'>;
  };

/**
 * Records a person's acceptance of the current brand terms for one key, as the mandate's next version. Raises
 * not_found, conflict (terms_superseded, approval_not_allowed, bad_state for the own agent key), unavailable while
 * billing is. Source: docs/domain/orders.md#brand-terms.
 */
export const keyTermsAccept: WriteHandler<'key_terms_accept', Deps> = async (ctx, { id, version }, deps) => {
  const { terms } = await deps.billing.terms_current(ctx, {});
  const by = await acceptedBy(ctx, deps);

  const outcome = await changeKey(ctx, { operation: 'key_terms_accept', keyId: id }, deps, (key) => {
    mustBeActive(key);
    mustNotBeChild(key);
    mustNotBeOwn(key, 'Whoever signs in the app accepts the terms in person: POST /api/brand/terms.');
    const acceptance = { version, email: by.email };
    const decided = acceptTerms(key.mandate, key.mandate_version, acceptance, terms?.version ?? null, ctx.now);
    if ('refusal' in decided) throw decided.refusal === 'terms_superseded' ? superseded(terms) : approvalNotAllowed();
    const { mandate } = decided;
    const text = { version, textSha256: terms?.text_sha256 ?? '' };
    return {
      answer: presentMandate(key.key_id, mandate, 0),
      mandate: { cause: 'terms_accepted', mandate },
      acceptance: acceptanceRow(key, mandate.version, text, by, ctx.networkNow),
    };
  });
  if (outcome.ok) await raiseGate(ctx, id, deps);

  return completed<Mandate>(outcome, async (mandate) => ({
    ...mandate,
    spent_this_month_cents: (await spentBy(ctx, [{ key_id: id, parent: null }], deps.billing)).get(id) ?? 0,
  }));
};
