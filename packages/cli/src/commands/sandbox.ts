import type { SandboxClock } from '@cds/sdk';
import { Argument, type Command } from 'commander';
import { acting, PATIENT } from '../context.js';
import { facts, money } from '../output.js';
import type { World } from '../world.js';
import { choice, duration, integer } from './values.js';

const clockWords = ({ now, pending }: SandboxClock): string =>
  facts([['now', now], ...pending.slice(0, 5).map((one): [string, string] => ['due', `${one.due_at}  ${one.kind}`])]);

export const addSandbox = (program: Command, world: World): void => {
  const sandbox = program.command('sandbox').description('Control a sandbox (test keys only)');
  sandbox
    .command('clock')
    .description('Show its time and what is due next')
    .action(
      acting(world, async ({ client, wait, show }) => {
        const clock = await wait('Reading the clock', (call) => client.sandboxClock({}, call));
        show(clock, () => clockWords(clock));
      }),
    );
  sandbox
    .command('advance')
    .description('Move its clock forward')
    .addArgument(new Argument('<duration>', 'such as 12h or 2d').argParser(duration))
    .action(
      acting(world, async ({ client, wait, show }, args) => {
        const input = { seconds: Number(args[0]) };
        const clock = await wait('Advancing the clock', (call) =>
          client.sandboxClockAdvance(input, { ...call, retry: PATIENT }),
        );
        show(clock, () => clockWords(clock));
      }),
    );
  sandbox
    .command('pay <order>')
    .description('Pay an order, without money')
    .addOption(
      choice('--outcome <outcome>', 'what the payment does', [
        'paid',
        'declined',
        'pending',
        'settled',
        'failed',
        'expired',
        'invoice_paid',
      ]),
    )
    .action(
      acting<{ outcome?: 'paid' }>(world, async ({ client, wait, show }, [id = ''], { outcome }) => {
        const order = await wait('Paying', (call) => client.sandboxOrderPayment({ id, outcome }, call));
        show(order, () =>
          facts([
            ['order', order.id],
            ['state', order.payment_state],
            ['total', money(order.total_cents)],
          ]),
        );
      }),
    );
  sandbox
    .command('reset')
    .description('Empty it, to play a script again')
    .option('--seed <n>', 'what its creators do from now on', integer)
    .action(
      acting<{ seed?: number }>(world, async ({ client, wait, show }, _args, { seed }) => {
        const reset = await wait('Resetting the sandbox', (call) =>
          client.sandboxReset({ seed }, { ...call, retry: PATIENT }),
        );
        show(reset, () =>
          facts([
            ['reset', reset.reset_at],
            ['seed', reset.seed],
          ]),
        );
      }),
    );
};
