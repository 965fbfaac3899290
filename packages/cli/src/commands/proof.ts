import type { BrandOrder, OrdersListInput } from '@cds/sdk';
import type { Command } from 'commander';
import { acting, type Context } from '../context.js';
import { facts, money, table } from '../output.js';
import type { World } from '../world.js';
import { choice, integer } from './values.js';

const addCampaigns = (program: Command, world: World): void => {
  program
    .command('campaigns')
    .description('List campaigns')
    .option('--archived', 'archived ones too')
    .action(
      acting<{ archived?: boolean }>(world, async ({ client, wait, show }, _args, { archived }) => {
        const input = { include_archived: archived };
        const found = await wait('Reading campaigns', (call) => client.campaignsList(input, call));
        show(found, () =>
          found.campaigns.length === 0
            ? `${found.note ?? 'None.'}\n`
            : table(
                [{ title: 'id' }, { title: 'campaign', wide: true }, { title: 'stage' }, { title: 'waits on you' }],
                found.campaigns.map((one) => [one.id, one.display_name, one.stage, one.waits_on_you ? 'yes' : '']),
                world,
              ),
        );
      }),
    );
  program
    .command('campaign <id>')
    .description('Show a campaign: its stage, plan and order, and the state of each line')
    .action(
      acting(world, async ({ client, wait, show }, [id = '']) => {
        const found = await wait('Reading the campaign', (call) => client.campaignStatus({ id }, call));
        show(
          found,
          () =>
            `${facts([
              ['campaign', found.campaign],
              ['stage', found.stage],
              ['plan', found.plan?.id],
              ['total', money(found.plan?.total_cents)],
              ['order', found.order === null ? '' : `${found.order.payment_state}, ${money(found.order.total_cents)}`],
            ])}\n${table(
              [
                { title: 'day' },
                { title: 'post' },
                { title: 'price', align: 'right' },
                { title: 'stage' },
                { title: 'creator' },
                { title: 'next', wide: true },
              ],
              (found.plan?.lines ?? []).map((line) => [
                line.scheduled_date,
                line.slot,
                money(line.price_cents),
                line.stage,
                line.proposal?.creator_handle,
                line.next?.text,
              ]),
              world,
            )}`,
        );
      }),
    );
};

const addEvidence = (program: Command, world: World): void => {
  program
    .command('evidence [campaign]')
    .description('List the posts that are live, with their links')
    .action(
      acting(world, async ({ client, wait, show }, [campaign_id]) => {
        const found = await wait('Reading proof', (call) => client.evidenceList({ campaign_id }, call));
        show(found, () =>
          found.items.length === 0
            ? `${found.note ?? 'None yet.'}\n`
            : table(
                [{ title: 'date' }, { title: 'post' }, { title: 'state' }, { title: 'link', wide: true }],
                found.items.map((one) => [one.date, one.slot, one.status_label, one.proof_url]),
                world,
              ),
        );
      }),
    );
};

const addResults = (program: Command, world: World): void => {
  program
    .command('results [campaign]')
    .description('List what the posts reached')
    .action(
      acting(world, async ({ client, wait, show }, [campaign_id]) => {
        const found = await wait('Reading results', (call) => client.resultsList({ campaign_id }, call));
        show(found, () =>
          found.items.length === 0
            ? `${found.note ?? 'None yet.'}\n`
            : `${table(
                [
                  { title: 'date' },
                  { title: 'post' },
                  { title: 'views', align: 'right' },
                  { title: 'spend', align: 'right' },
                  { title: 'compared', wide: true },
                ],
                found.items.map((one) => [one.date, one.slot, one.latest?.views, money(one.spend_cents), one.versus]),
                world,
              )}\n${facts([
                ['posts', found.totals?.posts],
                ['views', found.totals?.views],
                ['spend', money(found.totals?.spend_cents)],
                ['per 1,000 views', money(found.totals?.cpm_cents)],
              ])}`,
        );
      }),
    );
};

const orderRows = (orders: readonly BrandOrder[], world: World): string =>
  table(
    [
      { title: 'id' },
      { title: 'number' },
      { title: 'campaign', wide: true },
      { title: 'state' },
      { title: 'total', align: 'right' },
      { title: 'signed' },
    ],
    orders.map((one) => [
      one.id,
      one.order_number,
      one.campaign,
      one.payment_state,
      money(one.total_cents),
      one.signed_at.slice(0, 10),
    ]),
    world,
  );

type OrderOptions = { state?: OrdersListInput['payment_state']; all?: boolean; limit?: number };

const orders = async ({ client, wait, show, world }: Context, { state, all, limit }: OrderOptions): Promise<void> => {
  const input = { payment_state: state, limit };
  const found = await wait('Reading orders', async (call) => {
    if (all !== true) return client.ordersList(input, call);
    const every: BrandOrder[] = [];
    for await (const one of client.each.ordersList(input, call)) every.push(one);
    return { orders: every, next: null };
  });
  const more = found.next === null ? '' : 'There are more: --all\n';
  show(found, () => (found.orders.length === 0 ? 'None.\n' : `${orderRows(found.orders, world)}${more}`));
};

const addOrders = (program: Command, world: World): void => {
  program
    .command('orders')
    .description('List orders, newest first')
    .addOption(
      choice('--state <state>', 'only these', [
        'unpaid',
        'processing',
        'paid',
        'partially_refunded',
        'refunded',
        'cancelled',
      ]),
    )
    .option('--limit <n>', 'how many', integer)
    .option('--all', 'every page')
    .action(acting<OrderOptions>(world, (context, _args, options) => orders(context, options)));
  program
    .command('order <id>')
    .description('Show one order, with its payment link')
    .action(
      acting(world, async ({ client, wait, show }, [id = '']) => {
        const order = await wait('Reading the order', (call) => client.orderGet({ id }, call));
        show(order, () =>
          facts([
            ['number', order.order_number],
            ['campaign', order.campaign],
            ['state', order.payment_state],
            ['total', money(order.total_cents)],
            ['received', money(order.received_cents)],
            ['pay at', order.payment?.url],
            ['receipt', order.receipt_url],
          ]),
        );
      }),
    );
};

export const addProof = (program: Command, world: World): void => {
  addCampaigns(program, world);
  addOrders(program, world);
  addEvidence(program, world);
  addResults(program, world);
};
