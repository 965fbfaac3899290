import { AppError, conflict } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { presentTerms } from '../present/terms.js';
import { termsVersion } from '../store/terms.js';
import type { OpsTermsDeps } from './ops-terms-list.js';

/** Raises conflict (version_exists), unprocessable (a lower number). Source: docs/domain/orders.md#brand-terms. */
export const opsTermsPublish: WriteHandler<'ops_terms_publish', OpsTermsDeps> = async (
  ctx,
  input,
  { terms, appUrl },
) => {
  const [known, current] = await Promise.all([terms.byVersion(input.version), terms.current()]);
  if (known !== null || current?.number === input.number)
    throw conflict(
      'version_exists',
      'The brand terms already have this version or number. Publish under another date id with the next number.',
      { version: input.version, number: input.number },
    );
  if (current !== null && input.number < current.number) throw belowCurrent(current.number);

  const row = termsVersion(input, ctx.networkNow);
  return change(presentTerms(row, true, appUrl), {
    save: (tx) => terms.insert(tx, row),
    audit: [
      {
        ws: '',
        actor: actorOf(ctx),
        action: 'terms.published',
        object: row._id,
        reason: input.reason,
        payload: { number: row.number, text_sha256: row.text_sha256, replaces: current?._id ?? null },
      },
    ],
  });
};

const belowCurrent = (number: number): AppError =>
  new AppError('unprocessable', 'These terms would never be in force. Correct what details.problems names.', {
    problems: [{ field: 'number', message: `must be above ${number}, the number of the current version` }],
  });
