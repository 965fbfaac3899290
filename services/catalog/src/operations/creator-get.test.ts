import { randomUUID } from 'node:crypto';
import { Creator, Creators, notFound } from '@cds/contracts';
import { type Encoded, inTx } from '@cds/service';
import { proves } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aCreator, anId, aPost } from '../test/builders.js';
import { aRequest, NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { creatorGet } from './creator-get.js';
import { creatorsSearch } from './creators-search.js';

const LISTED = anId(0xa1);
const DECLINED = anId(0xa2);
const PAUSED = anId(0xa3);
const UNPRICED = anId(0xa4);
const LAUNCHER = anId(0xa5);
const PLAN = randomUUID();
const CAMPAIGN = randomUUID();
const UNREAD = randomUUID();
const AUDIENCES: Readonly<Record<string, string>> = { [CAMPAIGN]: 'gamers', [UNREAD]: 'xyzzy' };

describe('creator_get', () => {
  const network = testNetwork('creator_get');

  const planning = {
    campaign_texts: async (_ctx: unknown, { id }: { id: string }) => {
      const audience = AUDIENCES[id];
      if (audience === undefined) throw notFound('campaign');
      return { product: 'an app', audience, geography: 'Spain' };
    },
  };
  type Asked = Omit<Parameters<typeof creatorGet>[1], 'id'>;
  const open = async (id: string, over: Parameters<typeof aRequest>[0] = {}, asked: Asked = {}) => {
    const answer = await creatorGet(aRequest(over), { id, ...asked }, { ...network, planning });
    return Creator.strict().parse(JSON.parse(String((answer as Encoded).json)));
  };

  const search = async (query: Parameters<typeof creatorsSearch>[1]) =>
    Creators.strict().parse(JSON.parse(String(((await creatorsSearch(aRequest(), query, network)) as Encoded).json)));
  const row = async (id: string) =>
    (await search({ followers_min: 0, limit: 50 })).creators.find((creator) => creator.id === id);

  beforeAll(async () => {
    await inTx(network.store, aRequest().deadline, (tx) =>
      network.launches.add(tx, {
        _id: randomUUID(),
        project: 'Orbit',
        title: 'Orbit 2 is here',
        brand: { name: 'Orbit Labs', handle: 'orbitlabs', site: 'https://orbit.example', avatar_url: null },
        date: '2026-11-18',
        segments: ['gaming'],
        rev: 1,
        created_at: new Date(NOW),
        updated_at: new Date(NOW),
      }),
    );
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
      aCreator({ id: UNPRICED, units: [] }),
      aCreator({
        id: LAUNCHER,
        posts: [
          aPost({ ageDays: 2, text: 'Look at what @orbitlabs made for gamers' }),
          aPost({ ageDays: 3, text: 'A plain day.' }),
          aPost({ ageDays: 5, text: 'Paid partnership with Acme Corp for gamers #ad' }),
        ],
      }),
    ]);
  });

  it('returns a listed creator in full, without handle and links', async () => {
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
    await network.contexts.take({ workspace, version: 1, audience: 'startup founders' }, new Date(NOW));
    const creator = await open(LISTED, { workspace });
    expect(creator.match_score).toBeGreaterThan(50);
    expect(creator.match_label).toMatch(/match$/);
  });

  it('has the score of the list for the same match, whatever audience is on file (docs/domain/network.md#match-score)', async () => {
    const workspace = randomUUID();
    await network.contexts.take({ workspace, version: 1, audience: 'startup founders' }, new Date(NOW));
    const match = 'gaming,startup-founders';
    const listed = (await search({ match })).creators.find(({ id }) => id === LISTED);
    const opened = await open(LISTED, { workspace }, { match });
    const { match_score, match_label, match_reasons } = opened;
    expect({ match_score, match_label, match_reasons }).toEqual({
      match_score: listed?.match_score,
      match_label: listed?.match_label,
      match_reasons: listed?.match_reasons,
    });
    expect(match_label).toMatch(/ match for gaming and startup founders$/);
    expect(match_score).not.toBe((await open(LISTED, { workspace })).match_score);
  });

  it("is scored for a campaign's audience, which the label names", async () => {
    const workspace = randomUUID();
    await network.contexts.take({ workspace, version: 1, audience: 'startup founders' }, new Date(NOW));
    const of = async (campaign_id: string) => open(LAUNCHER, { workspace }, { campaign_id: campaign_id.toUpperCase() });
    expect(await of(CAMPAIGN)).toMatchObject({
      match_score: (await open(LAUNCHER, {}, { match: 'gaming' })).match_score,
      match_label: expect.stringMatching(/ match for gaming$/),
    });
    expect(await of(UNREAD)).toMatchObject({ match_score: null, match_label: null, match_reasons: [] });
    await expect(of(randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('omits each deprecated alias from its own day on', async () => {
    const over = (...fields: string[]) => ({
      switches: { deprecated_until: Object.fromEntries(fields.map((field) => [field, '2026-01-01'])) },
    });
    const one = await open(LISTED, over('posts_summary.median_views'));
    expect(one).toHaveProperty('median_views_30d');
    expect(one.posts_summary).not.toHaveProperty('median_views');
    const creator = await open(LISTED, over('median_views_30d', 'posts_summary.median_views'));
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

  describe('on a plan of the workspace', () => {
    const workspace = randomUUID();
    const planChanged = (version: number, creatorIds: string[]) =>
      network.planCreators.take({ id: PLAN, workspace, version, creatorIds });

    it('returns an unlisted creator with its true status, nothing to buy and no estimate', async () => {
      await planChanged(2, [DECLINED, PAUSED]);
      expect(await open(DECLINED, { workspace })).toMatchObject({
        status: 'declined',
        status_label: 'Reviewed',
        on_sale: false,
        price_estimate: null,
        offerings: [{ buyable: false }],
        recent_posts: [],
      });
      expect(await open(PAUSED, { workspace })).toMatchObject({ status: 'approved', on_sale: false });
      await expect(open(DECLINED)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('ignores older versions of the plan', async () => {
      await planChanged(3, [PAUSED]);
      await planChanged(2, [DECLINED]);
      await expect(open(DECLINED, { workspace })).rejects.toMatchObject({ code: 'not_found' });
      expect(await open(PAUSED, { workspace })).toMatchObject({ id: PAUSED });
    });
  });

  describe('with nothing on sale', () => {
    it('carries an estimate that is not a price', async () => {
      proves('creators.estimate-without-sale', 'creators.estimate-only-without-sale', 'creators.estimate-label');
      const creator = await open(UNPRICED);
      expect(creator).toMatchObject({ on_sale: false, ask_price: true, offerings: [] });
      expect(creator.price_estimate?.label).toMatch(/^Est\. \$[\d,]+ to \$[\d,]+$/);
      expect(creator.price_estimate).toMatchObject({
        provenance: { source: 'model', method: 'price-1', label: 'Estimated', as_of: NOW, stale: false },
        calc: { calc_version: 'price-1', inputs: { views_basis: 'posts', comparables: 0 } },
      });
      expect(await row(UNPRICED)).toMatchObject({ price_estimate: creator.price_estimate });
      expect(await open(LISTED)).toMatchObject({ on_sale: true, price_estimate: null });
    });

    it('matches no price filter and sorts by no price', async () => {
      proves('creators.estimate-never-price');
      const page = await search({ price_min: 0, price_max: 1_000_000 });
      expect(page.creators.map(({ id }) => id)).not.toContain(UNPRICED);
      const sorted = await search({ followers_min: 0, sort: 'price', dir: 'asc' });
      expect(sorted.creators.at(-1)?.price_estimate).not.toBeNull();
    });
  });

  describe('that took part in launches', () => {
    const ids = (page: { creators: { id: string }[] }) => page.creators.map(({ id }) => id);

    it('lists them newest first, then partnerships, and counts them for the match', async () => {
      proves('creators.collabs-twelve', 'creators.match-reasons', 'creators.match-reasons-no-price');
      const workspace = randomUUID();
      await network.contexts.take({ workspace, version: 1, audience: 'gamers' }, new Date(NOW));
      const creator = await open(LAUNCHER, { workspace });
      expect(creator.past_collabs).toEqual([
        {
          project: 'Orbit',
          title: 'Orbit 2 is here',
          date: '2026-11-18',
          role: 'Launch post',
          url: null,
          brand: { handle: 'orbitlabs', avatar_url: null, site: 'https://orbit.example', initials: 'OL' },
        },
        {
          project: 'Acme Corp',
          title: null,
          date: '2026-11-16',
          role: 'Paid partnership',
          url: null,
          brand: { handle: null, avatar_url: null, site: null, initials: 'AC' },
        },
      ]);
      expect(creator.match_reasons).toContainEqual({
        kind: 'past_launches',
        text: 'Took part in 1 launch and 1 paid partnership for gaming in the last 12 months.',
      });
      expect(JSON.stringify(creator.match_reasons)).not.toMatch(/\$|price|cents/i);
      expect(creator.recent_posts.map(({ text }) => text).join()).not.toMatch(/@|orbitlabs/);
    });

    it('shows no link and no brand handle in a list', async () => {
      proves('creators.rows-collabs-bare');
      const listed = await row(LAUNCHER);
      expect(listed?.past_collabs).toHaveLength(2);
      for (const collab of listed?.past_collabs ?? []) {
        expect(collab).not.toHaveProperty('url');
        expect(collab.brand).not.toHaveProperty('handle');
      }
      expect(ids(await search({ match: 'gaming' }))).toContain(LAUNCHER);
    });
  });
});
