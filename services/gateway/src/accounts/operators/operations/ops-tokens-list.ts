import { listed, type ReadHandler } from '@cds/service';
import { type OperatorTokens, presentOperatorToken } from '../store/operator-tokens.js';

export const opsTokensList: ReadHandler<'ops_tokens_list', { operatorTokens: OperatorTokens }> = (
  _ctx,
  input,
  { operatorTokens },
) =>
  listed(input, {
    rows: (place, limit) => operatorTokens.page(place, limit),
    placeOf: ({ _id, created_at }) => ({ at: created_at, id: _id }),
    present: presentOperatorToken,
  });
