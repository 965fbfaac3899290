import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { loggedIds } from '../telemetry/logged-request.js';
import { loggedError, withoutCredentials, withoutOthers } from './redaction.js';

/** Secrets are redacted by field name and by form; bodies, handles and query values are never logged. */
export const makeLogger = (service: string, level: string, env = 'production'): Logger =>
  pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['secret', '*.secret', 'authorization', '*.authorization', 'password', '*.password', 'token', '*.token'],
        censor: '[redacted]',
      },
      mixin: loggedIds,
      serializers: { err: loggedError },
      hooks: { streamWrite: env === 'development' ? withoutOthers : withoutCredentials },
    },
    pino.destination({ dest: 1, sync: false, minLength: 0 }),
  );

export class NestLogger implements LoggerService {
  constructor(private readonly pino: Logger) {}

  log(message: unknown, context?: string): void {
    this.pino.debug({ context }, String(message));
  }
  error(message: unknown, stack?: string, context?: string): void {
    this.pino.error({ context, stack }, String(message));
  }
  warn(message: unknown, context?: string): void {
    this.pino.warn({ context }, String(message));
  }
  debug(message: unknown, context?: string): void {
    this.pino.debug({ context }, String(message));
  }
  verbose(message: unknown, context?: string): void {
    this.pino.trace({ context }, String(message));
  }
}
