import { API_VERSION } from '@cds/sdk';
import { Command, CommanderError } from 'commander';
import { addApprove } from './commands/approve.js';
import { addEvents } from './commands/events.js';
import { addLogin } from './commands/login.js';
import { addNetwork } from './commands/network.js';
import { addPlan } from './commands/plan.js';
import { addProof } from './commands/proof.js';
import { addSandbox } from './commands/sandbox.js';
import { addWhoami } from './commands/whoami.js';
import { addCompletion } from './completion.js';
import { EXIT, failureOf, interrupted, report } from './failures.js';
import type { World } from './world.js';

const AFTER_HELP = `
CDS_URL and CDS_API_KEY name the address and the key; otherwise those of cds login are used.
Exit codes: 0 done, 1 refused, 2 wrong usage, 3 no access, 4 unavailable or limited, 5 not confirmed, 130 interrupted.`;

export const programOf = (world: World): Command => {
  const program = new Command('cds')
    .description('The Creator Distribution Service on the command line')
    .version(API_VERSION)
    .option('--json', 'print the answer of the API as JSON')
    .option('--url <url>', 'the address of the application')
    .option('--idempotency-key <key>', 'of a write: repeat one whose outcome is unknown')
    .addHelpText('after', AFTER_HELP);
  const groups = [addLogin, addWhoami, addNetwork, addPlan, addApprove, addProof, addEvents, addSandbox, addCompletion];
  for (const add of groups) add(program, world);
  const quiet = (command: Command) => {
    command
      .exitOverride()
      .configureOutput({ writeOut: world.out, writeErr: world.err })
      .showHelpAfterError('For its options, add --help.');
    for (const one of command.commands) quiet(one);
  };
  quiet(program);
  return program;
};

const isOpen = (status: number): boolean => status >= 500 || status === 409;

/** A `fetch` that remembers the Idempotency-Key of a write until it was answered for good. */
const rememberingWrites = (fetch: World['fetch']): Pick<World, 'fetch'> & { unanswered: () => string | null } => {
  let unanswered: string | null = null;
  return {
    fetch: async (address, init) => {
      const key = new Headers(init?.headers).get('idempotency-key');
      if (key !== null) unanswered = key;
      const answer = await fetch(address, init);
      if (key !== null && !isOpen(answer.status)) unanswered = null;
      return answer;
    },
    unanswered: () => unanswered,
  };
};

/** Runs one command line and returns its exit code. Never throws for what a caller can cause. */
export const run = async (args: readonly string[], world: World): Promise<number> => {
  const { fetch, unanswered } = rememberingWrites(world.fetch);
  try {
    await programOf({ ...world, fetch }).parseAsync([...args], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const failure = world.signal.aborted ? interrupted(unanswered()) : failureOf(error);
    report(failure, world, args.includes('--json'));
    return failure.exit;
  }
};
