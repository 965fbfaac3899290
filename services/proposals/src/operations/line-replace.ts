import { randomUUID } from 'node:crypto';
import { conflict, type PaidLine, type Replacement } from '@cds/contracts';
import { asksOf, mandateVerdict } from '@cds/rules';
import {
  actorOf,
  type Change,
  type Client,
  type Ctx,
  change,
  type MandateChecks,
  systemContext,
  type WriteHandler,
} from '@cds/service';
import type { Chain } from '../domain/chain.js';
import { overBy } from '../domain/creator-moves.js';
import { mayReplace, replace } from '../domain/moves.js';
import { lineChanged } from '../present/line-changed.js';
import { presentPaidLine } from '../present/paid-line.js';
import { excludedFor, excludedFromNaming } from '../search/excluded.js';
import type { Offers } from '../store/offers.js';
import { type LineClock, paidChain } from './paid-line.js';

type Deps = { offers: Offers; checks: MandateChecks; calls: Client<'replacement_unit'> };

/** Raises not_found, unprocessable, conflict, mandate_refused. Source: docs/domain/orders.md#replacement-search. */
export const lineReplace: WriteHandler<'line_replace', Deps> = async (ctx, { id, unit_id }, deps) => {
  const before = await paidChain(deps.offers, id, ctx.principal.workspace);
  const over = overBy(before, ctx.now);
  const free = over?.chain ?? before;
  mustBeFree(free, ctx.now);
  const asked = asksOf(ctx.now);
  mustAllow(ctx, asked, deps.checks);

  const { replacement } = await deps.calls.replacement_unit(ctx, {
    campaign_id: before.line.campaign_id,
    line_id: id,
    unit_id,
    exclude: await excludedFromNaming(deps.offers, before.line),
  });
  const channel = asksOf(ctx.now, { channels: [replacement.channel] });
  mustAllow(ctx, channel, deps.checks);

  const move = { ...replace(free, ctx.now, replacement, randomUUID()), window: over?.window ?? null };
  return change(presentPaidLine(move.chain), {
    save: async (tx) => {
      await deps.offers.save(tx, before, move);
      await deps.checks.passed(tx, ctx, 'line_replace', channel);
    },
    events: [...(over === null ? [] : [over.chain]), move.chain].map((chain) => ({
      name: 'line.changed' as const,
      payload: lineChanged(chain),
    })),
    audit: [replaced(ctx, move.chain, before)],
  }) satisfies Change<PaidLine>;
};

/** Raises conflict unless the line waits for another creator. */
export const mustBeFree = (chain: Chain, now: Date): void => {
  if (mayReplace(chain, now)) return;
  const { line, proposal } = chain;
  const message = line.cancelled
    ? 'This line was cancelled, so nobody can take it over.'
    : proposal.state === 'sent' || proposal.state === 'sending' || proposal.state === 'accepted'
      ? 'This line has a creator: one was asked or has accepted. Read the campaign to see who.'
      : 'The launch window of this line is over, so no day is left for a replacement.';
  throw conflict('bad_state', message, { state: proposal.state, attempt: proposal.attempt });
};

export const replaced = (ctx: Ctx, { line, proposal }: Chain, before: Chain) => ({
  ws: line.ws,
  actor: actorOf(ctx),
  action: 'line.replace',
  object: line._id,
  payload: {
    attempt: proposal.attempt,
    creator_id: line.creator_id,
    replaced_creator_id: before.line.creator_id,
    unit_id: line.unit_id,
  },
});

const mustAllow = (ctx: Ctx, asked: ReturnType<typeof asksOf>, checks: MandateChecks): void => {
  const refusal = mandateVerdict(ctx.principal.mandate, asked);
  if (refusal !== null) throw checks.refused(ctx, 'line_replace', refusal, asked);
};

type TeamDeps = LineClock & { offers: Offers; calls: Client<'replacement_unit' | 'replacement_candidates'> };

/** To whom a search finds now if the team names nobody. Raises not_found, unprocessable, conflict. */
export const opsLineReplace: WriteHandler<'ops_line_replace', TeamDeps> = async (
  ctx,
  { id, unit_id, reason },
  deps,
) => {
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
  { offers, calls }: TeamDeps,
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
