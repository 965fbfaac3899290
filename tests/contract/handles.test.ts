import { createSecretKey } from 'node:crypto';
import { aCreator, aNetwork, anId, identityReveal, NOW, onOrderChanged, type TestNetwork } from '@cds/catalog/testing';
import type { Output } from '@cds/contracts';
import { anOrder, aSignedLine, type OffersWorld, offersOnMongo, opsProposalsList } from '@cds/proposals/testing';
import { aCtx, deliver } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const [ADA, BEN] = [anId(0xa1), anId(0xa2)];
/** What never changes of an account, whatever it is called. */
const NETWORK_ID: Readonly<Record<string, string>> = { [ADA]: '81001', [BEN]: '81002' };
/** The day of a person's post, which its message names. */
const dayOf = (id: string): string => (id === ADA ? '2026-12-01' : '2026-12-02');

/** Catalog and proposals as wired, each on its own database (docs/domain/network.md#imports). */
describe('the message of a proposal after handles changed hands', () => {
  let network: TestNetwork;
  let world: OffersWorld;
  beforeAll(async () => {
    [network, world] = await Promise.all([aNetwork('handles'), offersOnMongo()]);
    await network.take([
      aCreator({ id: ADA, network_id: NETWORK_ID[ADA] ?? '', handle: 'ada_builds', url: 'https://x.com/ada_builds' }),
      aCreator({ id: BEN, network_id: NETWORK_ID[BEN] ?? '', handle: 'ben_ships', url: 'https://x.com/ben_ships' }),
    ]);
    const order = anOrder({
      sandbox: false,
      lines: [ADA, BEN].map((creator_id, at) =>
        aSignedLine({ creator_id, number: at + 1, scheduled_date: dayOf(creator_id) }),
      ),
    });
    await deliver(network.store, onOrderChanged(network.paidOrders), order, new Date(NOW));
    await world.deliver(world.consumers.order, order);
  });
  afterAll(() => Promise.all([network.drop(), world.drop()]));

  const imported = async (rows: readonly (readonly [id: string, handle: string])[]): Promise<void> => {
    const source = { asOf: new Date(NOW), recordedAt: new Date(NOW), viewsSource: 'network', setBy: 'test' } as const;
    const report = await network.importer.importRows(
      rows.map(([id, handle], row) => ({
        row,
        stated: { network_id: NETWORK_ID[id] ?? '', handle, units: [] },
        refused: [],
      })),
      source,
    );
    expect(report.refused).toEqual([]);
  };
  /** To whom the team sends which message. */
  const outgoing = async () => {
    const deps: Parameters<typeof opsProposalsList>[2] = {
      appUrl: 'https://app.test',
      links: { 1: createSecretKey(Buffer.alloc(32, 5)) },
      clocks: world.clocks,
      offers: world.offers,
      calls: {
        identity_reveal: async (ctx, input) => (await identityReveal(ctx, input, network)) as Output<'identity_reveal'>,
        creator_brief: async () => {
          throw new Error('no line quotes a post');
        },
      },
    };
    const { items } = (await opsProposalsList(aCtx(), {}, deps)) as Output<'ops_proposals_list'>;
    return Object.fromEntries([ADA, BEN].map((id) => [items.find(({ text }) => text.includes(dayOf(id)))?.handle, id]));
  };

  it.each([
    ['before', [], { ada_builds: ADA, ben_ships: BEN }],
    [
      'once two have swapped them',
      [
        [ADA, 'ben_ships'],
        [BEN, 'ada_builds'],
      ],
      { ben_ships: ADA, ada_builds: BEN },
    ],
    [
      'once they have swapped back, in the other order of rows',
      [
        [BEN, 'ben_ships'],
        [ADA, 'ada_builds'],
      ],
      { ada_builds: ADA, ben_ships: BEN },
    ],
    [
      'once one has taken the old handle of another, whose row comes last',
      [
        [BEN, 'ada_builds'],
        [ADA, 'ada_new'],
      ],
      { ada_new: ADA, ada_builds: BEN },
    ],
    ['once the first has taken the handle that was left', [[ADA, 'ben_ships']], { ben_ships: ADA, ada_builds: BEN }],
  ] as const)('names the right person: %s', async (_when, rows, expected) => {
    if (rows.length > 0) await imported(rows);
    expect(await outgoing()).toEqual(expected);
  });
});
