import { randomUUID } from 'node:crypto';
import { Creator } from '@cds/contracts';
import { type Encoded, inTx } from '@cds/service';
import { proves } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aCreator, anId, aPost } from '../test/builders.js';
import { aNetwork, aRequest, NOW, type TestNetwork } from '../test/network.js';
import { creatorGet } from './creator-get.js';

const LISTED = anId(0xa1);
const DECLINED = anId(0xa2);
const PAUSED = anId(0xa3);

describe('creator_get', () => {
  let network: TestNetwork;

  const open = async (id: string, over: Parameters<typeof aRequest>[0] = {}) =>
    Creator.strict().parse(JSON.parse(String(((await creatorGet(aRequest(over), { id }, network)) as Encoded).json)));

  beforeAll(async () => {
    network = await aNetwork('creator_get');
    await network.take([
      aCreator({
        id: LISTED,
        handle: 'ada_writes',
        bio: 'By Ada_Writes. See https://example.com/ada_writes and @friend.',
        posts: [1, 2, 3].map((at) =>
          aPost({
            ageDays: at,
            views: at * 1_000,
            text: `Ask @someone or ada_writes at www.example.com about startup founders ${at}`,
          }),
        ),
      }),
      aCreator({ id: DECLINED, status: 'declined' }),
      aCreator({ id: PAUSED, active: false }),
    ]);
  });
  afterAll(() => network.drop());

  it('answers a listed creator in full, without handle and links', async () => {
    proves('creators.open', 'creators.links-null', 'creators.identity-null');
    const creator = await open(LISTED);
    expect(creator).toMatchObject({
      id: LISTED,
      handle: null,
      url: null,
      match_score: null,
      posts_summary: {
        posts: 3,
        window_days: 30,
        capped: false,
        posts_sample_median_views: 2_000,
        median_views: 2_000,
        top_post: { url: null, views: 3_000 },
        as_of: NOW,
      },
    });
    expect(creator.recent_posts.map(({ views, url }) => [views, url])).toEqual([
      [1_000, null],
      [2_000, null],
      [3_000, null],
    ]);
    expect(JSON.stringify(creator)).not.toMatch(/@|ada_writes|example\.com/i);
  });

  it('is scored for the audience on file', async () => {
    const workspace = randomUUID();
    await inTx(network.store, aRequest().deadline, (tx) =>
      network.contexts.take(tx, { workspace, version: 1, audience: 'startup founders' }, new Date(NOW)),
    );
    const creator = await open(LISTED, { workspace });
    expect(creator.match_score).toBeGreaterThan(50);
    expect(creator.match_label).toMatch(/match$/);
  });

  it('leaves both duplicate medians out once they are dropped', async () => {
    const creator = await open(LISTED, { switches: { deprecated_fields: false } });
    expect(creator).not.toHaveProperty('median_views_30d');
    expect(creator.posts_summary).not.toHaveProperty('median_views');
  });

  it.each([
    ['declined', DECLINED],
    ['paused', PAUSED],
    ['unknown', randomUUID()],
  ])('does not find a %s creator', async (_name, id) => {
    proves('creators.open-unlisted-404');
    await expect(open(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
