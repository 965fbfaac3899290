import { Body, Controller, HttpCode, Inject, Module, Post, type Type } from '@nestjs/common';
import type { Failpoints } from './failpoint.js';

const FAILPOINTS = Symbol('failpoints');

/** `POST /failpoints` with `{ arm }` arms failpoints of a running process; only in test systems. */
class FailpointController {
  constructor(private readonly failpoints: Failpoints) {}

  arm(body: { arm: string }): { armed: string } {
    this.failpoints.arm(body.arm);
    return { armed: body.arm };
  }
}

const arm = Object.getOwnPropertyDescriptor(FailpointController.prototype, 'arm') ?? {};
Post('failpoints')(FailpointController.prototype, 'arm', arm);
HttpCode(200)(FailpointController.prototype, 'arm', arm);
Body()(FailpointController.prototype, 'arm', 0);
Inject(FAILPOINTS)(FailpointController, undefined, 0);
Controller()(FailpointController);

export const failpointModule = (failpoints: Failpoints): Type => {
  class FailpointModule {}
  Module({ controllers: [FailpointController], providers: [{ provide: FAILPOINTS, useValue: failpoints }] })(
    FailpointModule,
  );
  return FailpointModule;
};
