import type { Logger } from 'pino';
import type { Answer } from './answer.js';
import type { Exchange } from './exchange.js';

/** It never holds a query value, path value, body or secret; a key appears as its uuid. */
export const accessLine = (log: Logger, exchange: Exchange, answer: Answer): void => {
  log.info(
    {
      method: exchange.method,
      route: exchange.route,
      operation: exchange.operation,
      status: answer.status,
      code: answer.code,
      ...(answer.reason === undefined ? {} : { reason: answer.reason }),
      duration_ms: Math.round((performance.now() - exchange.startedAt) * 100) / 100,
      ...(exchange.keyId === '' ? {} : { key_id: exchange.keyId }),
    },
    'request',
  );
};
