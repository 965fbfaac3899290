import type { ReadHandler } from '@cds/service';
import { type Operators, presentOperator } from '../store/operators.js';

/**
 * The tokens of the operator's team, including revoked ones, without secrets. Source: docs/domain/access.md#operators.
 */
export const opsOperatorsList: ReadHandler<'ops_operators_list', { operators: Operators }> = async (
  _ctx,
  _input,
  { operators },
) => ({ operators: (await operators.all()).map(presentOperator) });
