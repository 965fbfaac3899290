import type { Principal } from '@cds/contracts';
import {
  bearerOf,
  type Caller,
  type Edge,
  type EdgeRefusal,
  type Exchange,
  equalSecrets,
  noSession,
  OPERATOR_LIMIT,
  OPS_SESSION_COOKIE,
  rateOf,
  sentCredential,
  sessionTokenOf,
  unauthorizedWith,
  unknownCredential,
  withoutWorkspace,
} from '../../edge/port.js';
import { readOperatorToken } from '../operators/operator-token.js';
import type { OperatorPeople } from '../operators/operators.js';
import type { OperatorTokens } from '../operators/store/operator-tokens.js';
import { SESSION_LIMIT } from '../people/store/sessions.js';

export type OperatorCallers = Pick<Edge, 'opsToken' | 'windows'> & {
  operatorTokens: Pick<OperatorTokens, 'admit'>;
  operators: Pick<OperatorPeople, 'admit'>;
};

const unauthorizedOperator = (exchange: Exchange): EdgeRefusal =>
  unauthorizedWith(
    sentCredential(exchange)
      ? 'This operator token is unknown, expired or revoked. Send a current one as Authorization: Bearer <token>.'
      : 'This request has no credential. Send an operator token as Authorization: Bearer <token>, or sign in.',
  );

type Operator = NonNullable<Principal['operator']>;

/** The configured token is a lead's. Any other is looked up if it is well-formed. */
const operatorOf = async (
  { opsToken, operatorTokens }: OperatorCallers,
  exchange: Exchange,
): Promise<Operator | null> => {
  const token = bearerOf(exchange);
  if (token === null) return null;
  if (equalSecrets(token, opsToken)) return { id: 'configured', name: 'configured token', role: 'lead' };
  const credential = readOperatorToken(token);
  const row = credential === null ? null : await operatorTokens.admit(credential, exchange.deadline.remainingMs());
  return row === null ? null : { id: row.token_id, name: row.name, role: row.role };
};

export const admitOperator = async (deps: OperatorCallers, exchange: Exchange): Promise<Caller> => {
  const operator = await operatorOf(deps, exchange);
  if (operator === null) throw await unknownCredential(exchange, unauthorizedOperator);

  const own = operator.id === 'configured' ? 'operator' : `operator:${operator.id}`;
  const window = await deps.windows.count(own, exchange.deadline.remainingMs());
  exchange.rate = rateOf(window, OPERATOR_LIMIT, 'key');
  const caller = withoutWorkspace('operator', window.seen_at);
  return { ...caller, commandOwner: own, principal: { ...caller.principal, operator } };
};

export const admitOperatorSession = async (
  { operators }: OperatorCallers,
  exchange: Exchange,
  effect: 'read' | 'write',
): Promise<Caller> => {
  const token = sessionTokenOf(exchange, OPS_SESSION_COOKIE);
  const found = token === null ? null : await operators.admit(token, effect, exchange.deadline.remainingMs());
  if (found === null) throw noSession(exchange);

  const { session, person } = found;
  exchange.rate = rateOf(session, SESSION_LIMIT, 'session');
  const caller = withoutWorkspace('operator', session.seen_at);
  const operator = { id: person._id, name: person.name, role: person.role, session: session._id };
  return { ...caller, commandOwner: `operator:${person._id}`, principal: { ...caller.principal, operator } };
};
