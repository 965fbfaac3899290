import { randomUUID } from 'node:crypto';
import { conflict, type Replacement } from '@cds/contracts';
import { type Client, type Ctx, change, systemContext, type WriteHandler } from '@cds/service';
import type { Chain } from '../domain/chain.js';
import { overBy } from '../domain/creator-moves.js';
import { replace } from '../domain/moves.js';
import { lineChanged } from '../present/line-changed.js';
import { presentPaidLine } from '../present/paid-line.js';
import { excludedFor, excludedFromNaming } from '../search/excluded.js';
import type { Offers } from '../store/offers.js';
import { mustBeFree, replaced } from './line-replace.js';
import { type LineClock, paidChain } from './paid-line.js';

type Deps = LineClock & { offers: Offers; calls: Client<'replacement_unit' | 'replacement_candidates'> };

/** To whom a search finds now if the team names nobody. Raises not_found, unprocessable, conflict. */
export const opsLineReplace: WriteHandler<'ops_line_replace', Deps> = async (ctx, { id, unit_id, reason }, deps) => {
  const before = await paidChain(deps.offers, id, null);
  const now = await deps.clocks.now(before.line.ws);
  const over = overBy(before, now);
  const free = over?.chain ?? before;
  mustBeFree(free, now);

  const replacement = await chosen(ctx, before, unit_id, now, deps);

  const move = { ...replace(free, now, replacement, randomUUID()), window: over?.window ?? null };
  return change(presentPaidLine(move.chain), {
    save: (tx) => deps.offers.save(tx, before, move),
    events: [...(over === null ? [] : [over.chain]), move.chain].map((chain) => ({
      name: 'line.changed' as const,
      payload: lineChanged(chain),
    })),
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
  const { campaign_id, _id: line_id } = line;
  if (unitId !== undefined) {
    const exclude = await excludedFromNaming(offers, line);
    return (await calls.replacement_unit(inside, { campaign_id, line_id, exclude, unit_id: unitId })).replacement;
  }
  const exclude = await excludedFor(offers, line, now);
  const lines = [{ line_id, exclude: [] }];
  const { candidates } = await calls.replacement_candidates(inside, { campaign_id, exclude, lines, most: 1 });
  const [best] = candidates;
  if (best === undefined)
    throw conflict('nobody_found', 'Nobody fits this line now. Name a unit_id, or let the search look again at 06:00.');
  return best;
};
