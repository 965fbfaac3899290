import { bearerOf, type Callers, OPS_SESSION_COOKIE, sessionTokenOf, unauthorized } from '../../edge/port.js';
import { isTokenLike } from '../oauth/token-format.js';
import { admitKey, type KeyCallers } from './keys.js';
import { admitOperator, admitOperatorSession, type OperatorCallers } from './operators.js';
import { admitSession, type SessionCallers } from './sessions.js';
import { admitToken } from './tokens.js';

export const callersOf = (deps: KeyCallers & SessionCallers & OperatorCallers & { appUrl: string }): Callers => ({
  bearer: (exchange, effect, transport, refusal = unauthorized) =>
    isTokenLike(bearerOf(exchange) ?? '', transport)
      ? admitToken(deps, exchange, effect, transport, refusal)
      : admitKey(deps, exchange, effect, refusal),
  session: (exchange, audience, effect) => admitSession(deps, exchange, audience, effect),
  operator: (exchange, effect) =>
    sessionTokenOf(exchange, OPS_SESSION_COOKIE) === null
      ? admitOperator(deps, exchange)
      : admitOperatorSession(deps, exchange, effect),
});
