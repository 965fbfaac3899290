import { BRAND_ROLES, hasRole, unavailable } from '@cds/contracts';
import type { Ctx, Tx } from '@cds/service';
import { holdInTeam } from '../operators/operator-team.js';
import type { OperatorPeople } from '../operators/operators.js';
import type { OperatorTokens } from '../operators/store/operator-tokens.js';
import type { Members } from '../people/store/members.js';

type Deps = {
  members: Pick<Members, 'holds'>;
  operators: Pick<OperatorPeople, 'people'>;
  operatorTokens: Pick<OperatorTokens, 'holds'>;
};

/**
 * Lets a write commit only while its caller is still who was admitted. Their end changes the same document, so one of
 * the two comes first (docs/domain/access.md#rights).
 */
export const callerHolder =
  ({ members, operators, operatorTokens }: Deps) =>
  async (tx: Tx, { principal: { audience, person, operator } }: Ctx): Promise<void> => {
    if (audience === 'person' && person?.member !== undefined) {
      const atLeast = BRAND_ROLES.filter((role) => hasRole(role, person.role));
      if (!(await members.holds(tx, person.member, atLeast))) throw changed();
    }
    if (audience !== 'operator' || operator === undefined || operator.id === 'configured') return;
    const holds =
      operator.session === undefined ? operatorTokens.holds(tx, operator.id) : holdInTeam(tx, operators, operator);
    if (!(await holds)) throw changed();
  };

/** Not stored: the retry is answered by the caller's rights at that time. */
const changed = () => unavailable('What you may do has just changed. Retry with the same Idempotency-Key.', 1);
