import type { ErrorCode } from './error.js';
import type { OperationDeclaration } from './operation.js';

/** The codes of one error status that an operation can return, and what they mean there. */
export type OperationRefusal = {
  codes: readonly ErrorCode[];
  description: string;
  /** The header that comes with it. */
  header?: 'Retry-After' | 'WWW-Authenticate';
  /** Where it is not the code's own. */
  status?: number;
};

/** What one operation can return (docs/specification.md#errors), for documents and faults of sandboxes. */
export const refusalsOf = (operation: OperationDeclaration): OperationRefusal[] => {
  const keyed = operation.scope !== null;
  const write = operation.effect === 'write';
  const sandbox = operation.audience === 'sandbox';
  // What a sandbox simulates spends nothing, so no mandate has to allow it.
  const mandated = !sandbox && (operation.scope === 'campaigns:write' || operation.scope === 'plans:approve');
  const reasons = operation.conflicts ?? [];
  const found: (OperationRefusal | false)[] = [
    {
      codes: operation.name === 'creators_search' ? ['bad_request', 'filter_required'] : ['bad_request'],
      description: 'A parameter, header or body field is invalid or not accepted. details.problems lists each one.',
    },
    keyed && {
      codes: ['unauthorized'],
      description: 'The key is missing, unknown or revoked.',
      header: 'WWW-Authenticate',
    },
    keyed && {
      codes: mandated ? ['forbidden', 'mandate_refused'] : ['forbidden'],
      description: mandated
        ? 'The key lacks the scope, or its mandate refuses. details.reason says why, with the limit and the excess.'
        : sandbox
          ? operation.scope === 'any'
            ? 'Available only in sandbox workspaces.'
            : 'The key lacks the scope, or is of no sandbox workspace.'
          : operation.scope === 'any'
            ? 'The workspace is suspended, or the key may not do this.'
            : 'The key lacks the scope, or the workspace is suspended.',
      header: 'WWW-Authenticate',
    },
    keyed &&
      (operation.params !== undefined || namesObject(operation)) && {
        codes: ['not_found'],
        description: 'Nothing with that id was found.',
      },
    write && {
      codes: [...(reasons.length > 0 ? (['conflict'] as const) : []), 'idempotency_conflict', 'in_progress'],
      description: `${reasons.length > 0 ? `The current state does not allow it (details.reason: ${reasons.join(', ')}). ` : ''}The Idempotency-Key was used for another request, or the same request is still running (Retry-After).`,
      header: 'Retry-After',
    },
    (operation.body !== undefined || operation.upload !== undefined || operation.judgesStored === true) && {
      codes: ['unprocessable'],
      description: 'A value in the body is missing or invalid. details.problems lists each one.',
    },
    {
      codes: ['rate_limited'],
      description: 'A limit has been reached. details.reason names it.',
      header: 'Retry-After',
    },
    {
      codes: ['internal'],
      description: 'The service failed unexpectedly. Retry a write with the same Idempotency-Key.',
    },
    operation.name === 'creator_ask_price' && {
      codes: ['unavailable'],
      status: 502,
      description: 'The request did not reach the team and was not saved. Send it again.',
      header: 'Retry-After',
    },
    {
      codes: ['unavailable'],
      description: 'The service, or writing, is temporarily unavailable. Send the same request again.',
      header: 'Retry-After',
    },
  ];
  return found.filter((one) => one !== false);
};

const namesObject = (operation: OperationDeclaration): boolean =>
  [operation.query, operation.body].some(
    (part) => part !== undefined && ['campaign_id', 'key_id'].some((field) => field in part.shape),
  );
