import { type OperationDeclaration, type OperationName, operationMap } from '@cds/contracts';
import { type Answer, ask, type SharedStack } from '../stack.js';

export type Example = {
  request: { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: Record<string, unknown> };
  answers: Record<string, unknown>;
};

export type Seen = { operations: Map<string, Example>; errors: Map<string, unknown> };

const partOf = (shape: object | undefined, input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([field]) => field in (shape ?? {})));

const requestOf = (operation: OperationDeclaration, input: Record<string, unknown>): Example['request'] => {
  const { params, query, body } = operation;
  return {
    ...(params === undefined ? {} : { params: partOf(params.shape, input) }),
    ...(query === undefined ? {} : { query: partOf(query.shape, input) }),
    ...(body === undefined ? {} : { body: partOf(body.shape, input) }),
  };
};

export class Recorder {
  readonly seen: Seen = { operations: new Map(), errors: new Map() };

  constructor(
    private readonly stack: SharedStack,
    private readonly key: string,
  ) {}

  async send<T>(name: OperationName, input: Record<string, unknown> = {}): Promise<T> {
    const answer = await ask(this.stack, this.key, name, input as never);
    if (answer.status >= 300) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }

  async keep<T>(name: OperationName, input: Record<string, unknown> = {}): Promise<T> {
    const operation: OperationDeclaration = operationMap[name];
    const body = await this.send<T>(name, input);
    const answers = { [operation.success ?? 200]: body };
    this.seen.operations.set(name, { request: requestOf(operation, input), answers });
    return body;
  }

  keepAnswer(name: OperationName, answer: Answer): void {
    const example = this.seen.operations.get(name);
    if (example === undefined) throw new Error(`${name} has no example yet`);
    example.answers[answer.status] = answer.body;
  }

  keepError(answer: Answer, name?: string): void {
    const { error } = answer.body as { error?: { code: string } };
    if (error === undefined) throw new Error(`an error was expected, not ${JSON.stringify(answer.body)}`);
    this.seen.errors.set(name ?? error.code, answer.body);
  }
}
