import { randomUUID } from 'node:crypto';
import { conflict } from '@cds/contracts';
import { actorOf, change, commitChange, isDuplicate, type WriteHandler, type WriteShell } from '@cds/service';
import type { Peppers } from '../keys/key-format.js';
import { newOperatorToken } from '../keys/operator-token.js';
import { type OperatorRow, type Operators, presentOperator } from '../store/operators.js';

/**
 * Makes a token with one role and returns its text, which is stored nowhere. The unique name makes a repeat harmless.
 * Raises conflict (name_taken). Source: docs/domain/access.md#operators, docs/domain/access.md#keys.
 */
export const opsOperatorMake: WriteHandler<
  'ops_operator_make',
  { shell: WriteShell; operators: Operators; peppers: Peppers }
> = async (ctx, input, { shell, operators, peppers }) => {
  const actor = actorOf(ctx);
  const { publicId, stored, text } = newOperatorToken(peppers);
  const row: OperatorRow = {
    _id: publicId,
    operator_id: randomUUID(),
    name: input.name,
    role: input.role,
    secret_hmac: stored,
    created_at: ctx.networkNow,
    created_by: ctx.principal.operator?.name ?? 'system',
    revoked_at: null,
  };

  const made = change(null, {
    save: (tx) => operators.insert(tx, row),
    audit: [
      {
        ws: '',
        actor,
        action: 'operator.made',
        object: row.operator_id,
        reason: input.reason,
        payload: { name: row.name, role: row.role },
      },
    ],
  });
  try {
    await commitChange(shell, ctx, 'ops_operator_make', 201, async () => made, false);
  } catch (error) {
    throw isDuplicate(error)
      ? conflict(
          'name_taken',
          'An operator with this name already exists. Choose another name; an existing secret is never shown again.',
        )
      : error;
  }

  return { operator: presentOperator(row), secret: text };
};
