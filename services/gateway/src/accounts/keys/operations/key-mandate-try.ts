import { type MandateInput, type MandateTryPage, type Problem, unprocessable } from '@cds/contracts';
import type { Client, ReadHandler } from '@cds/service';
import { type ChangeKeyDeps, currentKey, mustBeActive } from '../change-key.js';
import { DAY_MS } from '../domain/constants.js';
import { mandateProblems } from '../domain/mandate.js';
import { mandateTried } from '../domain/mandate-tried.js';
import type { KeyRow } from '../store/keys.js';

export type KeyMandateTryDeps = Pick<ChangeKeyDeps, 'keys' | 'keyVersions' | 'mandates'> & {
  planning: Client<'planning_mandate_try'>;
  billing: Client<'billing_mandate_try'>;
  proposals: Client<'proposals_mandate_try'>;
};

const MOST_PAGES = 100;

/**
 * Returns which recorded writes of a key a draft of its mandate would have refused, and which verdicts would differ.
 * Changes nothing. Raises not_found, unprocessable. Source: docs/domain/orders.md#mandate-workbench.
 */
export const keyMandateTry: ReadHandler<'key_mandate_try', KeyMandateTryDeps> = async (ctx, input, deps) => {
  const key = await currentKey(deps, ctx.principal.workspace, input.id);
  mustBeActive(key);
  const problems = draftProblems(key, input.mandate, ctx.now);
  if (problems.length > 0) throw unprocessable(problems);

  const to = ctx.networkNow;
  const from = new Date(to.getTime() - input.days * DAY_MS);
  const period = { from: from.toISOString(), to: to.toISOString() };
  const asked = { keys: judgedKeys(key), mandate: input.mandate, ...period };
  const pages = await Promise.all([
    allPages((after) => deps.planning.planning_mandate_try(ctx, { ...asked, after })),
    allPages((after) => deps.billing.billing_mandate_try(ctx, { ...asked, after })),
    allPages((after) => deps.proposals.proposals_mandate_try(ctx, { ...asked, after })),
  ]);

  return mandateTried(from, to, pages.flat());
};

/** The keys whose writes a draft is tried on. Its children's were judged by what both mandates allow. */
const judgedKeys = (key: KeyRow): string[] => [key.key_id];

/**
 * What is wrong with a draft: as when it is set, except that the end of the key's own mandate may have passed, so that
 * the unchanged mandate can always be tried.
 */
const draftProblems = (key: KeyRow, draft: MandateInput, now: Date): Problem[] => {
  const unchangedEnd = key.mandate?.expires_at.getTime() === Date.parse(draft.expires_at);
  return mandateProblems(key, draft, now)
    .filter(({ field }) => !(unchangedEnd && field === 'expires_at'))
    .map(({ field, message }) => ({ field: `mandate.${field}`, message }));
};

const allPages = async (
  ask: (after: MandateTryPage['next']) => Promise<MandateTryPage>,
): Promise<readonly MandateTryPage[]> => {
  const pages: MandateTryPage[] = [];
  let after: MandateTryPage['next'] = null;
  do {
    if (pages.length === MOST_PAGES) throw unprocessable([{ field: 'days', message: TOO_MANY }]);
    const page: MandateTryPage = await ask(after);
    pages.push(page);
    after = page.next;
  } while (after !== null);
  return pages;
};

const TOO_MANY = 'must cover at most 100,000 recorded writes; choose fewer days';
