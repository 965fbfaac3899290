import { notFound } from '@cds/contracts';
import { actorOf, type Client, change, type WriteHandler } from '@cds/service';
import { acceptanceRow } from '../mandate-changes.js';
import type { Keys } from '../store/keys.js';
import type { Mandates } from '../store/mandates.js';
import { type Accepting, acceptedBy, presentAcceptance, superseded } from '../terms-acceptance.js';

type Deps = Accepting & { billing: Client<'terms_current'>; keys: Keys; mandates: Mandates };

/**
 * Records a person's own acceptance of the current brand terms, under which they sign in the app with the workspace's
 * own agent key. It belongs to the person, so the key's mandate stays as it is. Raises conflict (terms_superseded).
 * Source: docs/domain/orders.md#brand-terms.
 */
export const termsAccept: WriteHandler<'terms_accept', Deps> = async (ctx, { version }, deps) => {
  const [{ terms }, by, own] = await Promise.all([
    deps.billing.terms_current(ctx, {}),
    acceptedBy(ctx, deps),
    deps.keys.own(ctx.principal.workspace),
  ]);
  if (own === null) throw notFound('workspace');
  if (terms === null || terms.version !== version) throw superseded(terms);

  const text = { version, textSha256: terms.text_sha256 };
  const row = acceptanceRow(own, own.mandate_version, text, by, ctx.networkNow);
  return change(presentAcceptance(row), {
    save: (tx) => deps.mandates.addAcceptances(tx, [row]),
    audit: [
      {
        ws: row.ws,
        actor: actorOf(ctx),
        action: 'terms.accepted',
        object: by.person,
        payload: { version, text_sha256: row.text_sha256 },
      },
    ],
  });
};
