import { type OperationDeclaration, subjectOf } from '@cds/contracts';
import { Controller, Inject, Module, type Type } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { Bound } from './dispatch.js';

const ANSWER = Symbol('answer');

/** Turns one request frame of an operation into a reply frame. */
export type Answer = (bound: Bound, data: Uint8Array) => Promise<Uint8Array>;

export const operationsModule = (bound: ReadonlyMap<string, Bound>, answer: Answer): Type => {
  class OperationsController {
    constructor(readonly answer: Answer) {}
  }
  // Nest finds a handler by its method, so each operation becomes a property of the class.
  const proto = OperationsController.prototype as unknown as Record<string, unknown>;
  for (const one of bound.values()) {
    proto[one.operation.name] = named(one.operation, function (this: OperationsController, data: Uint8Array) {
      return this.answer(one, data);
    });
    MessagePattern(subjectOf(one.operation))(
      proto,
      one.operation.name,
      Object.getOwnPropertyDescriptor(proto, one.operation.name) ?? {},
    );
    Payload()(proto, one.operation.name, 0);
  }
  Inject(ANSWER)(OperationsController, undefined, 0);
  Controller()(OperationsController);

  class OperationsModule {}
  Module({ controllers: [OperationsController], providers: [{ provide: ANSWER, useValue: answer }] })(OperationsModule);
  return OperationsModule;
};

const named = (operation: OperationDeclaration, method: (data: Uint8Array) => unknown): unknown =>
  Object.defineProperty(method, 'name', { value: operation.name });
