import type { Creator, CreatorSummary, CreatorsSearchInput, Inventory } from '@cds/sdk';
import { type Command, Option } from 'commander';
import { acting, type Context } from '../context.js';
import { count, facts, money, table } from '../output.js';
import type { World } from '../world.js';
import { choice, integer } from './values.js';

const words = (inventory: Inventory, world: World): string => {
  const audience = inventory.segments.map(({ label }) => label).join(', ');
  return `${facts([['audience', audience === '' ? 'none on file' : audience]])}\n${table(
    [
      { title: 'channel' },
      { title: 'level' },
      { title: 'bookable', align: 'right' },
      { title: 'posts', align: 'right' },
      { title: 'note', wide: true },
    ],
    inventory.channels.map((one) => [one.label, one.level, one.bookable_nodes, one.priced_units, one.note]),
    world,
  )}`;
};

/** Of the format that was asked for: another one would be bought by mistake. */
const cheapest = ({ offerings }: CreatorSummary, format: CreatorsSearchInput['format']) =>
  offerings
    .filter((one) => one.buyable && (format === undefined || one.format === format))
    .sort((one, other) => one.price_cents - other.price_cents)[0];

const listed = (creators: readonly CreatorSummary[], format: CreatorsSearchInput['format'], world: World): string =>
  table(
    [
      { title: 'id' },
      { title: 'name', wide: true },
      { title: 'score', align: 'right' },
      { title: 'followers', align: 'right' },
      { title: 'format' },
      { title: 'price', align: 'right' },
      { title: 'views', align: 'right' },
      { title: 'unit' },
    ],
    creators.map((one) => {
      const unit = cheapest(one, format);
      return [
        one.id,
        one.name ?? '',
        one.match_score,
        one.followers,
        unit?.format,
        money(unit?.price_cents),
        unit?.expected_views,
        unit?.unit_id,
      ];
    }),
    world,
  );

type Filters = CreatorsSearchInput & { all?: boolean };

const search = async ({ client, wait, show, world }: Context, { all = false, ...input }: Filters): Promise<void> => {
  if (!all) {
    const page = await wait('Reading creators', (call) => client.creatorsSearch(input, call));
    const end = page.offset + page.creators.length;
    const more = end < page.total ? `${count(page.total)} in all; the next: --offset ${end}, or --all\n` : '';
    show(page, () =>
      page.creators.length === 0 ? `${page.note ?? 'None.'}\n` : `${listed(page.creators, input.format, world)}${more}`,
    );
    return;
  }
  const creators = await wait('Reading creators', async (call) => {
    const found: CreatorSummary[] = [];
    for await (const one of client.each.creatorsSearch(input, call)) found.push(one);
    return found;
  });
  show({ creators }, () => (creators.length === 0 ? 'None.\n' : listed(creators, input.format, world)));
};

const described = (creator: Creator, world: World): string =>
  `${facts([
    ['name', creator.name],
    ['handle', creator.handle ?? 'shown in the campaign once an order with this creator is paid'],
    ['status', creator.status_reason],
    ['followers', creator.followers],
    ['country', creator.country],
    [
      'score',
      creator.match_score === null ? '' : `${creator.match_score} for ${creator.match_label ?? 'your audience'}`,
    ],
    ['about', creator.positioning ?? creator.bio],
    ['advice', creator.advice.reason],
  ])}\n${
    creator.offerings.length === 0
      ? 'Nothing is on sale.\n'
      : table(
          [
            { title: 'unit' },
            { title: 'format' },
            { title: 'price', align: 'right' },
            { title: 'views', align: 'right' },
            { title: 'for sale' },
          ],
          creator.offerings.map((unit) => [
            unit.unit_id,
            unit.label,
            money(unit.price_cents),
            unit.expected_views,
            unit.buyable ? 'yes' : 'no',
          ]),
          world,
        )
  }`;

export const addNetwork = (program: Command, world: World): void => {
  program
    .command('inventory')
    .description('Show how well the network covers your audience')
    .action(
      acting(world, async ({ client, wait, show }) => {
        const inventory = await wait('Reading coverage', (call) => client.inventory({}, call));
        show(inventory, () => words(inventory, world));
      }),
    );
  program
    .command('creators')
    .description('List creators, by filters')
    .option('--q <text>', 'text in the name, handle or bio')
    .option('--segment <id>', 'an audience segment')
    .option('--match <ids>', 'the audience to score against, segment ids with commas')
    .addOption(choice('--format <format>', 'the format on sale', ['post', 'quote', 'thread']))
    .option('--country <name>', 'a country, by name or code')
    .option('--language <name>', 'a language, by its English name')
    .option('--followers-min <n>', 'at least so many followers', integer)
    .option('--followers-max <n>', 'at most so many followers', integer)
    .option('--price-min <usd>', 'a post for at least so many dollars', integer)
    .option('--price-max <usd>', 'a post for at most so many dollars', integer)
    .option('--match-min <n>', 'a score of at least so much', integer)
    .option('--on-sale', 'only those with a post on sale')
    .option('--sort <by>', 'the order, such as match or price')
    .addOption(new Option('--dir <dir>', 'its direction').choices(['asc', 'desc']))
    .option('--limit <n>', 'how many, 1 to 50', integer)
    .option('--offset <n>', 'begin after so many', integer)
    .option('--all', 'every page; each counts against the limits of reading')
    .action(acting(world, (context, _args, options) => search(context, filtersOf(options))));
  program
    .command('creator <id>')
    .description('Show one creator, with prices')
    .option('--match <ids>', 'the audience to score against, segment ids with commas')
    .action(
      acting<{ match?: string }>(world, async ({ client, wait, show }, [id = ''], { match }) => {
        const creator = await wait('Reading the creator', (call) => client.creatorGet({ id, match }, call));
        show(creator, () => described(creator, world));
      }),
    );
};

const filtersOf = (options: Record<string, unknown>): Filters => ({
  q: options['q'] as string | undefined,
  segment: options['segment'] as CreatorsSearchInput['segment'],
  match: options['match'] as string | undefined,
  format: options['format'] as CreatorsSearchInput['format'],
  country: options['country'] as string | undefined,
  language: options['language'] as string | undefined,
  followers_min: options['followersMin'] as number | undefined,
  followers_max: options['followersMax'] as number | undefined,
  price_min: options['priceMin'] as number | undefined,
  price_max: options['priceMax'] as number | undefined,
  match_min: options['matchMin'] as number | undefined,
  on_sale: options['onSale'] as boolean | undefined,
  sort: options['sort'] as CreatorsSearchInput['sort'],
  dir: options['dir'] as CreatorsSearchInput['dir'],
  limit: options['limit'] as number | undefined,
  offset: options['offset'] as number | undefined,
  all: options['all'] === true,
});
