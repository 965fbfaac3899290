import { type OperationDeclaration, type Problem, TOKEN_PATTERN } from '@cds/contracts';

const GRAMMAR = '8 to 128 characters from letters, digits and . _ : -';
const MAKE =
  'make a new random value for each new request, such as a UUID, and send it again only to retry that request';

const wrong = (value: string): string => {
  if (/^["'].*["']$/.test(value)) return `must be sent without quotes: ${GRAMMAR}`;
  return `must be ${GRAMMAR}`;
};

/**
 * Check 8: the Idempotency-Key of a write (domain 4-doors 10, 11): present unless optional, one, of the grammar and
 * without quotes. Answers the key or null, or the problem. `field` is the header's or the tool argument's name.
 */
export const idempotencyKeyOf = (
  operation: OperationDeclaration,
  sent: readonly string[],
  field: string,
): { key: string | null } | { problem: Problem } => {
  if (operation.idempotency === undefined) return { key: null };
  const [key] = sent;
  if (key === undefined)
    return operation.idempotency === 'optional'
      ? { key: null }
      : { problem: { field, message: `is required for this write: ${MAKE}. It must be ${GRAMMAR}` } };
  if (sent.length > 1) return { problem: { field, message: `must be sent once; ${sent.length} values came` } };
  return TOKEN_PATTERN.test(key) ? { key } : { problem: { field, message: wrong(key) } };
};
