import type { MandateInput, MandateTryPage } from '@cds/contracts';
import { type MandateRefusal, mandateVerdict } from '@cds/rules';
import type { Ctx } from '../bus/context.js';
import type { MandateCheck, MandateChecks } from './mandate-checks.js';

/** How many checks one page judges. Their refusals stay far below the largest message of the bus. */
const PAGE = 1_000;

type Asked = {
  keys: string[];
  mandate: MandateInput;
  from: string;
  to: string;
  after: { at: string; id: string } | null;
};

/** Judges recorded checks by a draft's five fields, all else as recorded (docs/domain/orders.md#mandate-workbench). */
export const tryMandate = async (ctx: Ctx, input: Asked, checks: MandateChecks): Promise<MandateTryPage> => {
  const rows = await checks.newest({
    ws: ctx.principal.workspace,
    keys: input.keys,
    from: new Date(input.from),
    to: new Date(input.to),
    after: input.after,
    most: PAGE,
  });

  const judged = rows.map((check) => ({ check, would: judgedBy(check, input.mandate) }));

  const last = rows.length < PAGE ? undefined : rows.at(-1);
  return {
    tried: rows.length,
    refused: judged.flatMap(({ check, would }) =>
      would === null
        ? []
        : [{ ...named(check), operation: check.operation, reason: would.reason, details: would.details }],
    ),
    changed: judged.flatMap(({ check, would }) => {
      const reason = would?.reason ?? null;
      return reason === check.reason ? [] : [{ ...named(check), was: check.reason, would: reason }];
    }),
    next: last === undefined ? null : { at: last.at.toISOString(), id: last._id },
  };
};

/** What a draft says of a recorded check. A key without a mandate had accepted no terms for it. */
const judgedBy = (
  { mandate, asked }: Pick<MandateCheck, 'mandate' | 'asked'>,
  draft: MandateInput,
): MandateRefusal | null => mandateVerdict({ ...draft, terms_version: mandate?.terms_version ?? null }, asked);

const named = ({ at, request_id }: MandateCheck) => ({ at: at.toISOString(), request_id });
