import { type Audited, actorOf, type Ctx, type Tx } from '@cds/service';
import type { OperatorPeople } from '../operators/operators.js';
import type { OperatorTokenRow, OperatorTokens } from '../operators/store/operator-tokens.js';

export type OperatorRightsDeps = { operatorTokens: OperatorTokens; people: { operators: OperatorPeople } };

/** What ends with an operator or a token: the tokens made with it. People whom they added stay, and are listed. */
export type OperatorEnding = {
  presented: {
    ended_tokens: { id: string; name: string }[];
    added: Awaited<ReturnType<typeof addedBy>>;
  };
  save: (tx: Tx) => Promise<void>;
  audit: Audited[];
};

const addedBy = async (actor: string, { operators }: OperatorRightsDeps['people']) => {
  const rows = await operators.people.rows.find({ added_by: actor, removed_at: null }).toArray();
  return rows.map(({ _id: id, name, email, role }) => ({ id, name, email, role }));
};

/** Ends the tokens that were made with a person or a token, `maker`, and names whom these added to the team. */
export const operatorEnding = async (
  ctx: Ctx,
  maker: string,
  tokens: readonly OperatorTokenRow[],
  { operatorTokens, people }: OperatorRightsDeps,
): Promise<OperatorEnding> => ({
  presented: {
    ended_tokens: tokens.map(({ token_id: id, name }) => ({ id, name })),
    added: await addedBy(`operator:${maker}`, people),
  },
  save: async (tx) => {
    for (const row of tokens) await operatorTokens.revoke(tx, row, ctx.networkNow);
  },
  audit: tokens.map(({ token_id: object, name }) => ({
    ws: '',
    actor: actorOf(ctx),
    action: 'token.revoked',
    object,
    payload: { name, with: maker },
  })),
});
