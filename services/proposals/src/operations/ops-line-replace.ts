import { randomUUID } from 'node:crypto';
import { conflict, type Replacement } from '@cds/contracts';
import { type Client, type Ctx, change, systemContext, type WriteHandler } from '@cds/service';
import type { Chain } from '../domain/chain.js';
import { replace } from '../domain/moves.js';
import { lineChanged } from '../present/line-changed.js';
import { presentPaidLine } from '../present/paid-line.js';
import { excludedFor } from '../search/excluded.js';
import type { Offers } from '../store/offers.js';
import { mustBeFree, replaced } from './line-replace.js';
import { businessNow, chainOfAny, type LineClock } from './operated-line.js';

type Deps = LineClock & { offers: Offers; calls: Client<'replacement_unit' | 'replacement_candidates'> };

/**
 * Offers a paid line to the creator whom the team chose, or to whom a search finds now. Raises not_found,
 * unprocessable (unit_id), conflict (bad_state, already_in_plan, nobody_found). Source:
 * docs/domain/orders.md#replacement-search, docs/domain/access.md#operators.
 */
export const opsLineReplace: WriteHandler<'ops_line_replace', Deps> = async (ctx, { id, unit_id, reason }, deps) => {
  const before = await chainOfAny(deps.offers, id);
  const now = await businessNow(deps, before.line.ws);
  mustBeFree(before, now);

  const replacement = await chosen(ctx, before, unit_id, now, deps);

  const move = replace(before, now, replacement, randomUUID());
  return change(presentPaidLine(move.chain), {
    save: (tx) => deps.offers.save(tx, before, move),
    events: [{ name: 'line.changed', payload: lineChanged(move.chain) }],
    audit: [{ ...replaced(ctx, move.chain, before), reason }],
  });
};

const chosen = async (
  ctx: Ctx,
  { line }: Chain,
  unitId: string | undefined,
  now: Date,
  { offers, calls }: Deps,
): Promise<Replacement> => {
  const inside = {
    ...systemContext({ workspace: line.ws, sandbox: line.sandbox, now, networkNow: ctx.networkNow }),
    deadline: ctx.deadline,
  };
  const of = {
    campaign_id: line.campaign_id,
    line_id: line._id,
    exclude: await excludedFor(offers, line, now),
  };
  if (unitId !== undefined) return (await calls.replacement_unit(inside, { ...of, unit_id: unitId })).replacement;
  const { candidates } = await calls.replacement_candidates(inside, { ...of, most: 1 });
  const [best] = candidates;
  if (best === undefined)
    throw conflict('nobody_found', 'Nobody fits this line now. Name a unit_id, or let the search look again at 06:00.');
  return best;
};
