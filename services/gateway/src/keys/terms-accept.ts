import { conflict } from '@cds/contracts';
import { type Client, type Ctx, change, commitChange } from '@cds/service';
import type { StoredMandate } from '../domain/mandate.js';
import { acceptTerms } from '../domain/terms.js';
import type { KeyChanges } from '../store/key-changes.js';
import {
  type AcceptedBy,
  acceptanceRow,
  mandateAudit,
  mandateChange,
  mandateChanged,
  versionRow,
} from './mandate-changes.js';
import { type MandateDeps, mandatedKey } from './mandate-set.js';

export type TermsDeps = Omit<MandateDeps, 'billing'> & { billing: Client<'gate_raise' | 'terms_current'> };

/**
 * Records a person's acceptance of the current brand terms for one key, as the mandate's next version. Raises
 * not_found, conflict (terms_superseded, approval_not_allowed). Source: docs/domain/orders.md#brand-terms.
 */
export const termsAccept = async (
  ctx: Ctx,
  input: { ws: string; keyId: string; version: string; by: AcceptedBy },
  deps: TermsDeps,
): Promise<StoredMandate> => {
  const { shell, keyChanges, mandates, billing } = deps;
  const { terms } = await billing.terms_current(ctx, {});
  let accepted: StoredMandate | undefined;
  let committed: Awaited<ReturnType<KeyChanges['add']>> = [];

  await commitChange(
    shell,
    ctx,
    'terms_accept',
    200,
    async () => {
      const key = await mandatedKey(deps, input.ws, input.keyId);
      const decided = acceptTerms(
        key.mandate,
        key.mandate_version,
        { version: input.version, email: input.by.email },
        terms?.version ?? null,
        ctx.now,
      );
      if ('refusal' in decided) throw refusalOf(decided.refusal, terms?.version ?? null);

      const { mandate } = decided;
      const at = ctx.networkNow;
      const row = versionRow(key, mandate.version, { cause: 'terms_accepted', mandate, actor: input.by.person, at });
      const text = { version: input.version, textSha256: terms?.text_sha256 ?? '' };
      accepted = mandate;
      return change(null, {
        save: async (tx) => {
          await mandates.add(tx, [row]);
          await mandates.addAcceptances(tx, [acceptanceRow(key, mandate.version, text, input.by, at)]);
          committed = await keyChanges.add(tx, [mandateChange(key, mandate.version, mandate)], at);
        },
        events: [mandateChanged(key, mandate.version)],
        audit: [mandateAudit(row)],
      });
    },
    false,
  );
  if (accepted === undefined) throw new Error('terms were accepted without a decision');

  await keyChanges.apply(committed);
  await billing.gate_raise(ctx, { key_id: input.keyId, workspace: input.ws, version: accepted.version });
  return accepted;
};

const refusalOf = (refusal: 'terms_superseded' | 'approval_not_allowed', current: string | null) =>
  refusal === 'terms_superseded'
    ? conflict(refusal, 'Another version of the brand terms is current. Read and accept that version.', {
        current_version: current,
      })
    : conflict(refusal, 'This key may not sign, so it has no terms to accept. Set may_approve in its mandate first.');
