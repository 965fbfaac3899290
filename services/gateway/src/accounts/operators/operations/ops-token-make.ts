import { randomUUID } from 'node:crypto';
import { AppError, conflict, unprocessable } from '@cds/contracts';
import {
  actorOf,
  type Ctx,
  change,
  isDuplicate,
  LostRace,
  runWrite,
  type Tx,
  type WriteHandler,
  type WriteShell,
} from '@cds/service';
import type { Peppers } from '../../keys/key-format.js';
import { secretIdOf, shownOnce } from '../../keys/shown-once.js';
import type { ShownSecrets } from '../../keys/store/shown-secrets.js';
import { newOperatorToken } from '../operator-token.js';
import {
  type MadeBy,
  type OperatorTokenRow,
  type OperatorTokens,
  presentOperatorToken,
} from '../store/operator-tokens.js';

export type TokenMakeDeps = {
  shell: WriteShell;
  operatorTokens: OperatorTokens;
  shownSecrets: ShownSecrets;
  peppers: Peppers;
};

/**
 * Answers a new token's text, which is shown once and stored nowhere (docs/domain/operators.md#operators). Raises
 * conflict (name_taken; secret_gone on a replay after ten minutes), unprocessable.
 */
export const opsTokenMake: WriteHandler<'ops_token_make', TokenMakeDeps> = async (ctx, input, deps) => {
  const { shell, operatorTokens, shownSecrets, peppers } = deps;
  const maker = await makerOf(ctx, operatorTokens);
  const expiresAt = expiryOf(ctx, input.expires_at, maker);
  const outcome = await runWrite(shell, ctx, 'ops_token_make', 201, async () => {
    if ((await operatorTokens.named(input.name)) !== null) throw nameTaken();
    const { publicId, stored, text } = newOperatorToken(peppers);
    const row: OperatorTokenRow = {
      _id: publicId,
      token_id: randomUUID(),
      name: input.name,
      role: input.role,
      secret_hmac: stored,
      created_at: ctx.networkNow,
      created_by: ctx.principal.operator?.name ?? 'system',
      made_by: madeBy(ctx, maker),
      expires_at: expiresAt,
      revoked_at: null,
    };
    return change(
      { token: presentOperatorToken(row), secret: '' },
      {
        save: async (tx) => {
          await inserted(tx, row, operatorTokens);
          await shownSecrets.add(tx, secretIdOf(ctx), text, ctx.networkNow);
        },
        audit: [
          {
            ws: '',
            actor: actorOf(ctx),
            action: 'token.made',
            object: row.token_id,
            reason: input.reason ?? '',
            payload: { name: row.name, role: row.role, expires_at: input.expires_at ?? null },
          },
        ],
      },
    );
  });

  return shownOnce(ctx, outcome, shownSecrets);
};

const inserted = async (tx: Tx, row: OperatorTokenRow, operatorTokens: OperatorTokens): Promise<void> => {
  try {
    await operatorTokens.insert(tx, row);
  } catch (error) {
    // Another token took the name meanwhile; deciding again finds it.
    throw isDuplicate(error) ? new LostRace('operator token') : error;
  }
};

const nameTaken = (): AppError =>
  conflict(
    'name_taken',
    'A token with this name already exists. Choose another name; an existing secret is never shown again.',
  );

/** The token that makes another one; null for a person and for the configured token. */
const makerOf = async (
  { principal: { operator } }: Ctx,
  operatorTokens: Pick<OperatorTokens, 'byId'>,
): Promise<OperatorTokenRow | null> =>
  operator === undefined || operator.session !== undefined ? null : operatorTokens.byId(operator.id);

const madeBy = ({ principal: { operator } }: Ctx, maker: OperatorTokenRow | null): MadeBy =>
  maker === null
    ? { person: operator?.session === undefined ? null : operator.id, tokens: [] }
    : { person: maker.made_by?.person ?? null, tokens: [...(maker.made_by?.tokens ?? []), maker.token_id] };

/** When a token ends: not after the one that makes it. Raises unprocessable. */
const expiryOf = ({ networkNow }: Ctx, asked: string | undefined, maker: OperatorTokenRow | null): Date | null => {
  const last = maker?.expires_at ?? null;
  if (asked === undefined) return last;
  const at = new Date(asked);
  if (at <= networkNow)
    throw new AppError('unprocessable', 'The token would have expired already. Send a later expires_at, or none.', {
      problems: [{ field: 'expires_at', message: 'must be in the future' }],
    });
  if (last !== null && at > last)
    throw unprocessable([
      { field: 'expires_at', message: `must not be after ${last.toISOString()}, when the token that makes it expires` },
    ]);
  return at;
};
