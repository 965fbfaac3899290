import { type OperationDeclaration, type Problem, TOKEN_PATTERN } from '@cds/contracts';

const GRAMMAR = '8 to 128 characters from letters, digits and . _ : -';
const HOW_TO =
  'make a new random value, such as a UUID, for each new request, and repeat it only to retry that request';

const grammarMessage = (value: string): string =>
  /^["'].*["']$/.test(value) ? `must be sent without quotes: ${GRAMMAR}` : `must be ${GRAMMAR}`;

export type SentKey = { key: string | null } | { problem: Problem };

/** Step 8 (docs/domain/requests.md#order-of-errors): null for a read. `field` names the header or tool argument. */
export const idempotencyKeyOf = (operation: OperationDeclaration, sent: readonly string[], field: string): SentKey => {
  if (operation.idempotency === undefined) return { key: null };
  const [key] = sent;
  if (key === undefined)
    return operation.idempotency === 'optional'
      ? { key: null }
      : { problem: { field, message: `is required for this write: ${HOW_TO}. It must be ${GRAMMAR}` } };
  if (sent.length > 1) return { problem: { field, message: `must be sent once, not ${sent.length} times` } };
  return TOKEN_PATTERN.test(key) ? { key } : { problem: { field, message: grammarMessage(key) } };
};
