import type { Client, ReadHandler } from '@cds/service';
import type { Mandates } from '../store/mandates.js';
import { presentAcceptance } from '../terms-acceptance.js';

/** The acceptances that are listed, the newest. */
const LISTED = 200;

/** The current brand terms, and the workspace's newest acceptances. Source: docs/domain/orders.md#brand-terms. */
export const termsGet: ReadHandler<'terms_get', { billing: Client<'terms_current'>; mandates: Mandates }> = async (
  ctx,
  _input,
  { billing, mandates },
) => {
  const [{ terms }, acceptances] = await Promise.all([
    billing.terms_current(ctx, {}),
    mandates.acceptancesOf(ctx.principal.workspace, LISTED),
  ]);

  return { current: terms, acceptances: acceptances.map(presentAcceptance) };
};
