import type { ReadHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { Identities } from '../../identity/identities.js';
import { presentOpsCreator } from '../../present/ops-creator.js';
import type { OperatedCreators } from '../../store/operated-creators.js';

const PAGE = 50;
const MATCHED_MAX = 1_000;

/** In the order of ids. Source: docs/domain/operators.md#operators. */
export const opsCreatorsList: ReadHandler<
  'ops_creators_list',
  { operated: OperatedCreators; identities: Identities }
> = async (ctx, input, { operated, identities }) => {
  const limit = input.limit ?? PAGE;
  const q = input.q?.replace(/^@/, '') ?? null;
  const day = dayOf(ctx.networkNow);
  const rows = await operated.page({
    status: input.status ?? null,
    queue: input.queue ?? null,
    q,
    ids: q === null ? [] : await identities.idsHolding(q, MATCHED_MAX),
    after: input.cursor ?? null,
    limit: limit + 1,
    day,
  });
  const page = rows.slice(0, limit);
  const known = new Map((await identities.ofCreators(page.map(({ _id }) => _id))).map((one) => [one._id, one]));

  return {
    creators: page.map((creator) => presentOpsCreator(creator, known.get(creator._id) ?? null, day)),
    next: rows.length > limit ? (page.at(-1)?._id ?? null) : null,
  };
};
