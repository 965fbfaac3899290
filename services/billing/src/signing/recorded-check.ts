import type { ErrorBody } from '@cds/contracts';
import { type MandateCheck, mandateCheck, mandateReason } from '@cds/service';
import type { Hold } from '../domain/authority.js';
import { APPROVE_PLAN } from './command.js';

/**
 * The recorded check of an approve, made of its hold, since another run or the recovery worker may end it
 * (docs/domain/orders.md#mandate-workbench); null if the mandate decided nothing.
 */
export const recordedCheck = (hold: Hold, refusal: ErrorBody | null): MandateCheck | null => {
  const { check, principal, command_id, command_fp } = hold;
  if (check === undefined || (refusal !== null && refusal.code !== 'mandate_refused')) return null;
  const of = {
    principal,
    requestId: check.request_id,
    networkNow: check.at,
    command: { id: command_id, fp: command_fp },
  };
  const reason = refusal === null ? null : mandateReason(refusal.details?.['reason']);
  return mandateCheck(of, APPROVE_PLAN, check.asked, reason);
};
