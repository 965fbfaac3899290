import type { OperationDeclaration } from '@cds/contracts';
import { OPS_SESSION_COOKIE, SESSION_COOKIE } from '../../people/cookies.js';
import type { Edge } from '../edge.js';
import type { Exchange } from '../http/exchange.js';
import {
  admitAddress,
  admitKey,
  admitOperator,
  admitRelay,
  type Caller,
  NETWORK_FACTS_WINDOW,
  REPORT_WINDOW,
  VISITOR_WINDOW,
} from './caller.js';
import { admitCreator } from './creator.js';
import { unauthorized } from './credential.js';
import { admitOperatorSession, admitSession, sessionTokenOf } from './session.js';
import { admitToken, sentToken } from './token.js';

/**
 * Step 4 of an operation, by its audience (docs/domain/access.md#endpoints). A credential of another audience is
 * unknown here.
 */
export const identifyCaller = (edge: Edge, exchange: Exchange, operation: OperationDeclaration): Promise<Caller> => {
  switch (operation.audience) {
    case 'brand':
    case 'sandbox':
      if (sessionTokenOf(exchange, SESSION_COOKIE) !== null)
        return admitSession(edge, exchange, 'brand', operation.effect);
      return sentToken(exchange, 'rest')
        ? admitToken(edge, exchange, operation.effect, 'rest')
        : admitKey(edge, exchange, operation.effect);
    case 'person':
      return admitSession(edge, exchange, 'person', operation.effect);
    case 'visitor':
      return admitAddress(edge, exchange, VISITOR_WINDOW);
    case 'operator':
      return sessionTokenOf(exchange, OPS_SESSION_COOKIE) === null
        ? admitOperator(edge, exchange)
        : admitOperatorSession(edge, exchange, operation.effect);
    case 'creator':
      return admitCreator(edge, exchange);
    case 'relay':
      return admitRelay(edge, exchange);
    case 'public':
      return admitAddress(edge, exchange, operation.effect === 'write' ? REPORT_WINDOW : NETWORK_FACTS_WINDOW);
    case 'internal':
    case 'guest':
      // Neither has an endpoint of its own.
      return Promise.reject(unauthorized(exchange));
  }
};
