import { type Input, type Output, operationByName, type ServiceName } from '@cds/contracts';
import type { Ctx } from '../bus/context.js';
import type { Commands } from '../commands/commands.js';
import type { Bound } from '../process/dispatch.js';
import type { ResetParts } from './resets.js';

/** Binds the operation by which the gateway resets a sandbox in this service; the gateway has none on the bus. */
export const bindResetOperation = (
  service: ServiceName,
  commands: Pick<Commands, 'resets' | 'runningIn'>,
  parts: ResetParts,
): Map<string, Bound> => {
  const { resets } = commands;
  const operation = operationByName(`${service}_sandbox_reset`);
  const run = async (ctx: Ctx, input: Input<'billing_sandbox_reset'>): Promise<Output<'billing_sandbox_reset'>> => {
    await resets.begin(input);
    if (input.ends) {
      await resets.end(input);
      return { removed: 0, running: 0 };
    }
    // Counted after the reset is known: a write that is not counted yet finds the reset and ends.
    const left = (await commands.runningIn(input.workspace)) + ((await parts.running?.(input.workspace)) ?? 0);
    return { removed: left > 0 ? 0 : await resets.remove(input, parts, ctx), running: left };
  };
  return new Map(operation === undefined ? [] : [[operation.name, { operation, run: run as Bound['run'] }]]);
};
