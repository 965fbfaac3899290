import type { CdsEvent } from '@cds/sdk';
import type { Command } from 'commander';
import { acting, type Context } from '../context.js';
import { clean, paintFor } from '../output.js';
import { Interrupted, type World } from '../world.js';
import { integer } from './values.js';

type Options = { follow?: boolean; cursor?: string; kind?: string; limit?: number };

const lineOf = ({ at, kind, aggregate, version }: CdsEvent, world: World): string =>
  `${paintFor(world, 'out')('dim', at)}  ${clean(kind)}  ${clean(aggregate.type)} ${clean(aggregate.id)}  ${version}\n`;

/** Prints events as they come, one on a line, and at the end where to continue. */
const events = async ({ client, world, json }: Context, options: Options): Promise<void> => {
  const { follow = false, ...asked } = options;
  const feed = client.events.follow({ ...pick(asked), untilNow: !follow, signal: world.signal });
  try {
    for await (const event of feed) world.out(json ? `${JSON.stringify(event)}\n` : lineOf(event, world));
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    if (feed.cursor !== null) world.err(`To go on from here: --cursor ${feed.cursor}\n`);
  }
};

const pick = ({ cursor, kind, limit }: Options) => ({ cursor, kind, limit });

export const addEvents = (program: Command, world: World): void => {
  program
    .command('events')
    .description('List what happened, in order; with --json one object on each line')
    .option('--follow', 'go on as things happen')
    .option('--cursor <cursor>', 'begin where an earlier list ended')
    .option('--kind <kind>', 'only events of this kind')
    .option('--limit <n>', 'events in a request, 1 to 200', integer)
    .action(acting<Options>(world, (context, _args, options) => events(context, options)));
};
