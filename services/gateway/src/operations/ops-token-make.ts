import { randomUUID } from 'node:crypto';
import { AppError, conflict } from '@cds/contracts';
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
import type { Peppers } from '../keys/key-format.js';
import { newOperatorToken } from '../keys/operator-token.js';
import { secretIdOf, shownOnce } from '../keys/shown-once.js';
import { type OperatorTokenRow, type OperatorTokens, presentOperatorToken } from '../store/operator-tokens.js';
import type { ShownSecrets } from '../store/shown-secrets.js';

export type TokenMakeDeps = {
  shell: WriteShell;
  operatorTokens: OperatorTokens;
  shownSecrets: ShownSecrets;
  peppers: Peppers;
};

/**
 * Makes a token with one role and answers its text, which is shown once: the record of the answer holds no secret.
 * Raises conflict (name_taken; secret_gone on a replay after ten minutes), unprocessable. Source:
 * docs/domain/access.md#operators, docs/domain/access.md#keys.
 */
export const opsTokenMake: WriteHandler<'ops_token_make', TokenMakeDeps> = async (ctx, input, deps) => {
  const { shell, operatorTokens, shownSecrets, peppers } = deps;
  const expiresAt = expiryOf(ctx, input.expires_at);
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

const expiryOf = ({ networkNow }: Ctx, expiresAt: string | undefined): Date | null => {
  if (expiresAt === undefined) return null;
  const at = new Date(expiresAt);
  if (at > networkNow) return at;
  throw new AppError('unprocessable', 'The token would have expired already. Send a later expires_at, or none.', {
    problems: [{ field: 'expires_at', message: 'must be in the future' }],
  });
};
