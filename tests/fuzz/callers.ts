import type { OperationName, Output } from '@cds/contracts';
import { ask, eventually, type SharedStack } from '../support/stack.js';
import type { Cookie } from './people.js';

export type Call = <N extends OperationName>(name: N, input: Record<string, unknown>) => Promise<Output<N>>;

export const callWith =
  (stack: SharedStack, who: { key: string } | { cookie: Cookie }): Call =>
  async (name, input) => {
    const [key, headers] = 'key' in who ? [who.key, {}] : [null, { cookie: who.cookie, origin: stack.appUrl }];
    const answer = await ask(stack, key, name, input as never, headers);
    if (answer.status >= 300) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as never;
  };

export const awaited = async <N extends OperationName>(
  stack: SharedStack,
  key: string,
  name: N,
  input: Record<string, unknown>,
  good: (answer: Output<N>) => boolean,
): Promise<Output<N>> => {
  const answer = await eventually(() => ask(stack, key, name, input as never), good as (body: never) => boolean);
  if (answer.status >= 300 || !good(answer.body as Output<N>))
    throw new Error(`${name} did not come to be as wanted: ${JSON.stringify(answer.body)}`);
  return answer.body as Output<N>;
};
