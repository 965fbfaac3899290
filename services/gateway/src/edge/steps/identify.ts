import type { OperationDeclaration } from '@cds/contracts';
import type { Caller } from '../callers.js';
import type { Edge } from '../edge.js';
import { SESSION_COOKIE } from '../http/cookies.js';
import type { Exchange } from '../http/exchange.js';
import { admitAddress, admitRelay, NETWORK_FACTS_WINDOW, REPORT_WINDOW, VISITOR_WINDOW } from './caller.js';
import { admitCreator } from './creator.js';
import { unauthorized } from './credential.js';
import { sessionTokenOf } from './session.js';

/** Step 4 by audience; a credential of another audience is unknown (docs/domain/access.md#endpoints). */
export const identifyCaller = (edge: Edge, exchange: Exchange, operation: OperationDeclaration): Promise<Caller> => {
  switch (operation.audience) {
    case 'brand':
    case 'sandbox':
      return sessionTokenOf(exchange, SESSION_COOKIE) === null
        ? edge.callers.bearer(exchange, operation.effect, 'rest')
        : edge.callers.session(exchange, 'brand', operation.effect);
    case 'person':
      return edge.callers.session(exchange, 'person', operation.effect);
    case 'visitor':
      return admitAddress(edge, exchange, VISITOR_WINDOW);
    case 'operator':
      return edge.callers.operator(exchange, operation.effect);
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
