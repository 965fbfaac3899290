import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, HttpCode, Inject, Module, Req, Res } from '@nestjs/common';
import { HealthCheckService, TerminusModule } from '@nestjs/terminus';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type Indicator = { name: string; check: () => Promise<string | null> | string | null };

export type Health = {
  alive: () => boolean;
  indicators: readonly Indicator[];
  metrics: (request: IncomingMessage, response: ServerResponse) => void;
};

const HEALTH = Symbol('health');

class HealthController {
  constructor(
    private readonly checks: HealthCheckService,
    private readonly health: Health,
  ) {}

  livez(reply: FastifyReply): void {
    const alive = this.health.alive();
    void reply.status(alive ? 200 : 503).send({ status: alive ? 'ok' : 'error' });
  }

  readyz(): Promise<unknown> {
    return this.checks.check(
      this.health.indicators.map((indicator) => async () => {
        const problem = await indicator.check();
        return {
          [indicator.name]: problem === null ? { status: 'up' as const } : { status: 'down' as const, problem },
        };
      }),
    );
  }

  metrics(request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    this.health.metrics(request.raw, reply.raw);
  }
}

// Decorators are called as functions and every injection names its token, so no tool has to emit type metadata.
const decorate = (method: 'livez' | 'readyz' | 'metrics', ...decorators: MethodDecorator[]): void => {
  const descriptor = Object.getOwnPropertyDescriptor(HealthController.prototype, method) ?? {};
  for (const one of decorators) one(HealthController.prototype, method, descriptor);
};
decorate('livez', Get('livez'));
decorate('readyz', Get('readyz'), HttpCode(200));
decorate('metrics', Get('metrics'));
Res()(HealthController.prototype, 'livez', 0);
Req()(HealthController.prototype, 'metrics', 0);
Res()(HealthController.prototype, 'metrics', 1);
Inject(HealthCheckService)(HealthController, undefined, 0);
Inject(HEALTH)(HealthController, undefined, 1);
Controller()(HealthController);

export const healthModule = (health: Health) => {
  class HealthModule {}
  Module({
    imports: [TerminusModule.forRoot({ logger: false })],
    controllers: [HealthController],
    providers: [{ provide: HEALTH, useValue: health }],
  })(HealthModule);
  return HealthModule;
};
