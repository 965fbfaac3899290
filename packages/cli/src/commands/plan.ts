import type { Client, CreateCampaignInput, Quote } from '@cds/sdk';
import type { Command } from 'commander';
import { acting, type Context } from '../context.js';
import { CliError, EXIT } from '../failures.js';
import { readProduct } from '../page.js';
import type { World } from '../world.js';
import { preflightWords, quoteWords, rationaleWords } from './plan-words.js';
import { choice, day, dollars, integer } from './values.js';

type StartOptions = {
  product?: string;
  moment?: string;
  goal: CreateCampaignInput['goal'];
  from: string;
  to: string;
  budget: number;
  audience?: string;
  geography?: string;
  maxCreators?: number;
  formats?: string;
  maxPrice?: number;
  launchPost?: string;
};

const FORMATS = ['post', 'quote', 'thread'] as const;

const formatsIn = (text: string | undefined): CreateCampaignInput['formats'] =>
  text?.split(',').map((one) => {
    const format = FORMATS.find((known) => known === one.trim());
    if (format === undefined) throw new CliError(`${one} is no format.`, `Use ${FORMATS.join(', ')}, with commas.`);
    return format;
  });

/** What is promoted and when it goes live: as the options say, or else as the product's page does. */
const productOf = async (world: World, page: string | undefined, options: StartOptions) => {
  const read = page === undefined ? null : await readProduct(world, page);
  const product = options.product ?? [read?.name, read?.description].filter(Boolean).join(': ');
  if (product === '')
    throw new CliError(
      'It is not said what is promoted.',
      'Name the product page, or use --product "Orbit, an AI pair".',
    );
  if (read !== null && options.product === undefined) world.err(`Read from the page: ${product}\n`);
  const name = read?.name ?? product;
  return { product, moment: options.moment ?? `${name} goes live on ${options.from}` };
};

const start = async (context: Context, page: string | undefined, options: StartOptions): Promise<void> => {
  const { client, wait, show, world } = context;
  const input: CreateCampaignInput = {
    ...(await productOf(world, page, options)),
    goal: options.goal,
    window_start: options.from,
    window_end: options.to,
    budget_usd: options.budget,
    audience: options.audience,
    geography: options.geography,
    max_creators: options.maxCreators,
    formats: formatsIn(options.formats),
    max_price_usd: options.maxPrice,
    launch_post_url: options.launchPost,
  };
  const started = await wait('Building the plan', (call) => client.createCampaign(input, call));
  const { plan } = started;
  show(started, () =>
    plan === null
      ? `Campaign ${started.id} has no plan: ${started.no_plan?.message ?? 'it is being built.'}\n`
      : quoteWords(plan, world),
  );
};

/** The id of a line, given as itself or as its number in the quote. */
export const lineIn = async (client: Client, plan: string, line: string, signal: AbortSignal): Promise<string> => {
  if (!/^\d{1,3}$/.test(line)) return line;
  const { lines } = await client.planQuote({ id: plan }, { signal });
  const found = lines[Number(line) - 1];
  if (found === undefined)
    throw new CliError(`The plan has no line ${line}.`, `It has ${lines.length}: cds plan quote ${plan}`, EXIT.refused);
  return found.id;
};

const addStart = (plan: Command, world: World): void => {
  plan
    .command('start [page]')
    .description('Start a campaign and build its plan, from a product page or from options')
    .requiredOption('--budget <usd>', 'the most that the plan may cost', dollars)
    .requiredOption('--from <day>', 'the first day of the launch window', day)
    .requiredOption('--to <day>', 'its last day', day)
    .option('--product <text>', 'what is promoted; by default what the page says')
    .option('--moment <text>', 'what goes live, and on which day')
    .addOption(choice('--goal <goal>', 'the goal', ['launch', 'funding', 'feature', 'program']).default('launch'))
    .option('--audience <text>', 'who should see it; by default the audience on file')
    .option('--geography <text>', 'where the audience is')
    .option('--max-creators <n>', 'at most so many creators', integer)
    .option('--formats <list>', 'post, quote, thread, with commas')
    .option('--max-price <usd>', 'at most so much for one post', dollars)
    .option('--launch-post <url>', 'your own post on X that creators quote')
    .action(acting<StartOptions>(world, (context, [page], options) => start(context, page, options)));
};

const addReads = (plan: Command, world: World): void => {
  plan
    .command('quote <plan>')
    .description("Show a plan's lines, total and fingerprint, and whether this key may sign it")
    .action(
      acting(world, async ({ client, wait, show }, [id = '']) => {
        const quote = await wait('Reading the quote', (call) => client.planQuote({ id }, call));
        show(quote, () => quoteWords(quote, world));
      }),
    );
  plan
    .command('preflight <plan>')
    .description('List every rule that signing would fail, and the edits that would help')
    .action(
      acting(world, async ({ client, wait, show }, [id = '']) => {
        const found = await wait('Checking the plan', (call) => client.planPreflight({ id }, call));
        show(found, () => preflightWords(found, world));
      }),
    );
  plan
    .command('rationale <plan>')
    .description('Explain what each line adds')
    .action(
      acting(world, async ({ client, wait, show }, [id = '']) => {
        const found = await wait('Reading the reasons', (call) => client.planRationale({ id }, call));
        show(found, () => rationaleWords(found, world));
      }),
    );
};

const edited = ({ show, world }: Context, answer: { plan: Quote }): void =>
  show(answer, () => quoteWords(answer.plan, world));

const addEdits = (plan: Command, world: World): void => {
  plan
    .command('add <plan> <unit>')
    .description('Add a post; "current" for the plan adds to the newest one, or starts one')
    .option('--date <day>', 'its day', day)
    .action(
      acting<{ date?: string }>(world, async (context, [id = '', unit_id = ''], { date }) => {
        const input = { id, unit_id, scheduled_date: date };
        edited(context, await context.wait('Adding the post', (call) => context.client.planAddCreator(input, call)));
      }),
    );
  plan
    .command('remove <plan> <line>')
    .description('Remove a line, by its number in the quote or its id')
    .action(
      acting(world, async (context, [id = '', line = '']) => {
        const line_id = await lineIn(context.client, id, line, world.signal);
        const input = { id, line_id };
        edited(
          context,
          await context.wait('Removing the line', (call) => context.client.planRemoveCreator(input, call)),
        );
      }),
    );
  plan
    .command('swap <plan> <line> <unit>')
    .description("Replace a line's post by another")
    .action(
      acting(world, async (context, [id = '', line = '', unit_id = '']) => {
        const line_id = await lineIn(context.client, id, line, world.signal);
        const input = { id, line_id, unit_id };
        edited(context, await context.wait('Swapping the line', (call) => context.client.planSwapCreator(input, call)));
      }),
    );
  plan
    .command('dates <plan>')
    .description('Move the launch window')
    .requiredOption('--from <day>', 'its first day', day)
    .requiredOption('--to <day>', 'its last day', day)
    .action(
      acting<{ from: string; to: string }>(world, async (context, [id = ''], { from, to }) => {
        const input = { id, start: from, end: to };
        edited(context, await context.wait('Moving the window', (call) => context.client.planMoveDates(input, call)));
      }),
    );
};

export const addPlan = (program: Command, world: World): void => {
  const plan = program.command('plan').description('Start, read and change a plan');
  addStart(plan, world);
  addReads(plan, world);
  addEdits(plan, world);
};
