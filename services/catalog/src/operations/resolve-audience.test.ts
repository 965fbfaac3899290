import { randomUUID } from 'node:crypto';
import { AudienceFit, notFound } from '@cds/contracts';
import { proves } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aCreator, anId, aUnit } from '../test/builders.js';
import { aRequest, NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { inventory } from './inventory.js';
import { resolveAudience } from './resolve-audience.js';

const CAMPAIGN = randomUUID();

describe('resolve_audience', () => {
  const network = testNetwork('resolve_audience');
  const planning = {
    campaign_texts: async (_ctx: unknown, { id }: { id: string }) => {
      if (id !== CAMPAIGN) throw notFound('campaign');
      return { product: 'an app', audience: 'gamers', geography: 'Spain' };
    },
  };
  const fit = async (input: Parameters<typeof resolveAudience>[1], over: Parameters<typeof aRequest>[0] = {}) =>
    AudienceFit.strict().parse(await resolveAudience(aRequest(over), input, { ...network, planning }));

  beforeAll(async () => {
    await network.take([
      aCreator({ id: anId(1), about: 'startup founders', units: [aUnit(), aUnit({ format: 'quote' })] }),
      aCreator({ id: anId(2), about: 'startup founders', units: [] }),
      aCreator({ id: anId(3), about: 'startup founders', status: 'declined' }),
      ...Array.from({ length: 20 }, () => aCreator({ about: 'gaming' })),
    ]);
  });

  it('returns segments, regions and coverage of a described audience', async () => {
    proves('audience.shape', 'audience.channels');
    const answer = await fit({ audience: 'startup founders', geography: 'Berlin, Germany' });
    expect(answer).toMatchObject({
      version: 1,
      computed_at: NOW,
      coverage_as_of: NOW,
      segments: [{ id: 'startup-founders', label: 'Startup founders' }],
      regions: ['Germany'],
      unresolved: false,
      thin: true,
      summary: 'Thin on X: 1 creator bookable now reaches startup founders.',
    });
    expect(answer.channels.map(({ channel, sale, level }) => [channel, sale, level])).toEqual([
      ['x_creators', 'live', 'thin'],
      ['reddit', 'next', 'none'],
      ['clipping', 'next', 'none'],
    ]);
    expect(answer.channels[0]).toMatchObject({ verified_nodes: 2, bookable_nodes: 1, priced_units: 2 });
  });

  it('is not thin with twenty bookable creators', async () => {
    proves('audience.thin');
    expect(await fit({ audience: 'gamers' })).toMatchObject({
      thin: false,
      summary: 'Strong on X: 20 creators bookable now reach gaming.',
    });
  });

  it('says that a description names no audience', async () => {
    proves('audience.unresolved');
    const answer = await fit({ audience: 'stamp collectors', product: 'sheets of stamps' });
    expect(answer).toMatchObject({
      segments: [],
      unresolved: true,
      thin: true,
      regions: ['Worldwide'],
      summary: 'The description names no audience we know. Add a role, an industry or an interest.',
    });
    expect(answer.channels[0]).toMatchObject({ level: 'none', verified_nodes: 0, bookable_nodes: 0, priced_units: 0 });
  });

  it('falls back to the campaign, by either parameter name', async () => {
    for (const input of [{ intent_id: CAMPAIGN }, { campaign_id: CAMPAIGN.toUpperCase() }])
      expect(await fit(input)).toMatchObject({ segments: [{ id: 'gaming' }], regions: ['Spain'] });
    expect((await fit({ intent_id: CAMPAIGN, audience: 'startup founders' })).segments).toMatchObject([
      { id: 'startup-founders' },
    ]);
    await expect(fit({ intent_id: randomUUID() })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('falls back to the audience on file, and counts it as inventory does', async () => {
    const workspace = randomUUID();
    await network.contexts.take({ workspace, version: 1, audience: 'startup founders' }, new Date(NOW));
    expect(await fit({}, { workspace })).toMatchObject({ audience_from: 'on_file' });
    expect(await fit({ product: 'a game for gamers' }, { workspace })).toMatchObject({
      audience_from: 'described',
      segments: [{ id: 'gaming' }],
    });
    expect(await fit({}, { workspace: randomUUID() })).not.toHaveProperty('audience_from');
    const request = aRequest({ workspace });
    const { channels } = (await inventory(request, {}, network)) as { channels: unknown };
    expect((await fit({}, { workspace })).channels).toEqual(channels);
  });
});
