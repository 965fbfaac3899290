import { Inventory } from '@cds/contracts';
import { deliver, proves } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { onContextChanged } from '../events/context-changed.js';
import { aCreator, aUnit } from '../test/builders.js';
import { aRequest, NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { inventory } from './inventory.js';

describe('inventory', () => {
  const network = testNetwork('inventory');

  const withAudience = async (workspace: string, audience: string | null) => {
    await deliver(
      network.store,
      onContextChanged(network.contexts),
      { aggregate: workspace, version: 1, workspace, name: null, audience } as never,
      new Date(NOW),
    );
    return Inventory.strict().parse(await inventory(aRequest({ workspace }), {}, network));
  };

  beforeAll(async () => {
    await network.take([
      aCreator({ about: 'startup founders', units: [aUnit(), aUnit({ format: 'quote' })] }),
      aCreator({ about: 'startup founders', units: [] }),
      aCreator({ about: 'gaming' }),
      aCreator({ about: 'gaming', status: 'declined' }),
    ]);
  });

  it('counts the audience on file', async () => {
    proves('inventory.shape', 'inventory.all-fields', 'inventory.priced-units-count-posts');
    const answer = await withAudience('on-file', 'startup founders');
    expect(answer).toMatchObject({
      segments: [{ id: 'startup-founders', label: 'Startup founders' }],
      unresolved: false,
      coverage_as_of: NOW,
    });
    expect(answer.channels.map(({ channel }) => channel)).toEqual(['x_creators', 'reddit', 'clipping']);
    expect(answer.channels[0]).toEqual({
      channel: 'x_creators',
      label: 'X creators',
      sale: 'live',
      level: 'thin',
      verified_nodes: 2,
      bookable_nodes: 1,
      priced_units: 2,
      note: '1 creator bookable now, 2 posts on sale at a current price.',
    });
    expect(answer).not.toHaveProperty('catalog');
  });

  it.each([
    ['no audience', 'none', null, false],
    ['a text that names no segment', 'unresolved', 'nice people', true],
  ])('counts the whole network with %s', async (_name, workspace, audience, unresolved) => {
    const answer = await withAudience(workspace, audience);
    expect(answer).toMatchObject({ segments: [], unresolved });
    expect(answer.channels[0]).toMatchObject({ verified_nodes: 3, bookable_nodes: 2, priced_units: 3 });
  });

  it('does not replace a newer version of a context by an older one', async () => {
    const workspace = 'ordered';
    const take = (version: number, audience: string) =>
      network.contexts.take({ workspace, version, audience }, new Date(NOW));
    await take(2, 'gaming');
    await take(1, 'startup founders');
    expect((await network.contexts.audienceOf(workspace)).segments.map(({ id }) => id)).toEqual(['gaming']);
  });
});
