import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Creator, Identity } from '../domain/creator/creator.js';
import type { PostEvidence } from '../domain/launches/evidence.js';
import { NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import type { ImportWanted } from './import-batches.js';
import { type ImportFile, importFile } from './import-file.js';

/** External payloads that are not part of the repository; their tests are skipped where they are missing. */
const SHARED = resolve(process.cwd(), '../shared/data/x-api');
const withShared = existsSync(SHARED) ? it : it.skip;
const shared = (name: string): string => readFileSync(resolve(SHARED, name), 'utf8');

const fileOf = (text: string, type: ImportFile['type'] = 'json'): ImportFile => ({
  type,
  text: async function* () {
    for (let at = 0; at < text.length; at += 4_096) yield text.slice(at, at + 4_096);
  },
});

describe('an import of a file', () => {
  const network = testNetwork('import');

  const take = (text: string, over: Partial<ImportWanted> = {}, type: ImportFile['type'] = 'json') =>
    importFile(network.importer, fileOf(text, type), {
      asOf: new Date(NOW),
      dryRun: false,
      creator: null,
      networkNow: new Date(NOW),
      setBy: 'test',
      ...over,
    });
  const neutral = (creators: unknown[], over: object = {}) =>
    JSON.stringify({ version: 1, as_of: '2026-11-20T00:00:00Z', source: 'operator', creators, ...over });
  const creators = () => network.store.db.collection<Creator>('creators');
  const identityOf = async (handle: string): Promise<Identity | null> =>
    network.identityStore.db.collection<Identity>('identities').findOne({ handle_lower: handle.toLowerCase() });
  const creatorOf = async (handle: string): Promise<Creator | null> =>
    creators().findOne({ _id: (await identityOf(handle))?._id ?? '' });

  describe('in neutral JSON', () => {
    const ada = {
      network_id: '1',
      handle: 'ada',
      name: 'Lovelace',
      bio: 'Ask @ada at https://x.com/ada',
      followers: 12_000,
      account_created_at: '2020-01-01T00:00:00Z',
      posts: [
        { id: 'p1', created_at: '2026-11-19T00:00:00Z', text: 'One', views: 10 },
        { id: 'p1', created_at: '2026-11-19T00:00:00Z', text: 'Again' },
        { id: 'p2', text: 'No date' },
        { id: 'p3', created_at: '2026-11-18T00:00:00Z', views: -1 },
      ],
      units: [
        { format: 'post', ask_cents: 7_500, as_of: '2026-11-19' },
        { format: 'video', ask_cents: 7_500 },
        { format: 'quote', ask_cents: 10.5 },
      ],
    };
    const rows = [
      ada,
      { handle: 'much_too_long_handle' },
      { network_id: '3', handle: 'cem', followers: 1.5 },
      7,
      { handle: 'Dan' },
    ];

    it('writes nothing in a dry run', async () => {
      const report = await take(neutral(rows), { dryRun: true });
      expect(report).toMatchObject({ created: 2, updated: 0, unchanged: 0 });
      expect(await creators().countDocuments()).toBe(0);
    });

    it('refuses invalid parts row by row, and imports the rest', async () => {
      expect(await take(neutral(rows))).toEqual({
        created: 2,
        updated: 0,
        unchanged: 0,
        refused: [
          { row: 0, field: 'posts[1].id', message: 'must appear only once' },
          { row: 0, field: 'posts[2].created_at', message: expect.any(String) },
          { row: 0, field: 'posts[3].views', message: 'must be a whole number of at least 0' },
          { row: 0, field: 'units[1].format', message: expect.any(String) },
          { row: 0, field: 'units[2].ask_cents', message: expect.any(String) },
          { row: 1, field: 'handle', message: expect.any(String) },
          { row: 2, field: 'followers', message: 'must be a whole number of at least 0' },
          { row: 3, field: 'creators', message: 'must be a JSON object' },
        ],
      });
      expect(await creatorOf('ada')).toMatchObject({
        network_id: '1',
        status: 'not_reviewed',
        bio: 'Ask at',
        reach_band: 'micro',
        units: [{ format: 'post', price: { price_cents: 10_000, as_of: '2026-11-19' } }],
        sync_review: {
          proposal: 'borderline',
          checks: expect.arrayContaining([{ check: 'followers', result: 'pass', figure: 12_000 }]),
        },
      });
      expect((await creatorOf('ada'))?.posts).toHaveLength(1);
      expect((await creatorOf('dan'))?.network_id).toMatch(/^creator:/);
    });

    it('finds everything unchanged on a second import', async () => {
      expect(await take(neutral(rows))).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    });

    it('recognises a creator by its handle in any case, then by its network id', async () => {
      const before = await creatorOf('dan');
      expect(await take(neutral([{ handle: 'DAN', name: 'Daniel' }]))).toMatchObject({ updated: 1, refused: [] });
      expect(await take(neutral([{ network_id: '4', handle: 'dan' }]))).toMatchObject({ updated: 1, refused: [] });
      expect(await take(neutral([{ network_id: '4', handle: 'dan_new' }]))).toMatchObject({ updated: 1, refused: [] });
      expect(await creatorOf('dan_new')).toMatchObject({ _id: before?._id, network_id: '4', name: 'Daniel' });
    });

    it('refuses a handle of another creator, and imports the others', async () => {
      const report = await take(
        neutral([
          { network_id: '5', handle: 'ADA' },
          { network_id: '6', handle: 'eve' },
          { network_id: '6', handle: 'eve' },
        ]),
      );
      expect(report).toMatchObject({ created: 1, unchanged: 0 });
      expect(report.refused.map(({ row, field }) => [row, field])).toEqual([
        [0, 'handle'],
        [2, 'network_id'],
      ]);
    });

    it('keeps posts, units and operator settings when a row states only a profile', async () => {
      await creators().updateOne(
        { _id: (await identityOf('ada'))?._id ?? '' },
        { $set: { status: 'declined', notes: 'No.' } },
      );
      expect(await take(neutral([{ network_id: '1', handle: 'ada', followers: 60_000 }]))).toMatchObject({
        updated: 1,
      });
      const after = await creatorOf('ada');
      expect(after).toMatchObject({ status: 'declined', notes: 'No.', name: 'Lovelace', reach_band: 'mid' });
      expect(after?.posts).toHaveLength(1);
      expect(after?.units).toHaveLength(1);
    });

    it('refuses facts older than the stored ones, and a file from the future', async () => {
      const old = neutral([{ network_id: '1', handle: 'ada' }], { as_of: '2026-11-01T00:00:00Z' });
      expect((await take(old)).refused).toEqual([{ row: 0, field: 'as_of', message: expect.any(String) }]);
      const ahead = neutral([{ network_id: '1', handle: 'ada' }, { handle: 'fay' }], {
        as_of: '2026-11-22T00:00:00Z',
      });
      expect(await take(ahead)).toEqual({
        created: 0,
        updated: 0,
        unchanged: 0,
        refused: [0, 1].map((row) => ({ row, field: 'as_of', message: 'must not be in the future' })),
      });
    });

    it.each([
      ['a handle with its @', { handle: '@gil' }, 'handle'],
      ['a handle with spaces', { handle: ' gil ' }, 'handle'],
      [
        'a day that does not exist',
        { handle: 'gil', account_created_at: '2020-02-30T00:00:00Z' },
        'account_created_at',
      ],
    ])('refuses a creator of %s', async (_name, creator, field) => {
      expect(await take(neutral([creator]), { dryRun: true })).toMatchObject({
        created: 0,
        refused: [{ row: 0, field }],
      });
    });

    it('refuses posts and prices on days that do not exist', async () => {
      const report = await take(
        neutral([
          {
            handle: 'gil',
            posts: [{ id: '1', created_at: '2026-02-30T00:00:00Z' }],
            units: [{ format: 'post', ask_cents: 100, as_of: '2026-09-31' }],
          },
        ]),
        { dryRun: true },
      );
      expect(report.refused.map(({ field }) => field)).toEqual(['posts[0].created_at', 'units[0].as_of']);
    });

    it('accepts a language by code or by name', async () => {
      await take(
        neutral([
          { handle: 'hal', language: 'pt' },
          { handle: 'ivy', language: 'Thai' },
        ]),
      );
      expect([(await creatorOf('hal'))?.language, (await creatorOf('ivy'))?.language]).toEqual(['Portuguese', 'Thai']);
    });

    it('limits the length of a creator’s texts', async () => {
      const long = 'wör '.repeat(1_000);
      const units = [{ format: 'post', ask_cents: 7_500, label: long, deliverable: long }];
      await take(neutral([{ handle: 'lea', name: long, bio: long, country: long, language: long, units }]));
      const lea = await creatorOf('lea');
      const [unit] = lea?.units ?? [];
      const kept = [lea?.name, lea?.bio, lea?.country, lea?.language, unit?.label, unit?.deliverable];
      expect(kept.map((text) => text?.length)).toEqual([99, 999, 99, 99, 99, 299]);
    });

    it('treats unstated posts as unknown, without holding that against the creator', async () => {
      const profile = { handle: 'kim', followers: 5_000, account_created_at: '2020-01-01T00:00:00Z' };
      await take(neutral([profile]));
      await take(neutral([{ ...profile, followers: 5_100 }]));
      const kim = await creatorOf('kim');
      expect(kim).toMatchObject({ flag_inactive: false, posts_per_week: null, posts: [] });
      for (const check of ['posts_in_30_days', 'last_post_age_days', 'paid_posts_percent', 'undisclosed_paid_posts'])
        expect(kim?.sync_review?.checks).toContainEqual({ check, result: 'warn', figure: null });
      await take(neutral([{ ...profile, posts: [] }]));
      expect(await creatorOf('kim')).toMatchObject({ flag_inactive: true, posts_per_week: 0 });
    });

    it('keeps the stored posts when none of the stated ones can be read', async () => {
      const held = await creatorOf('ada');
      const stated = { network_id: '1', handle: 'ada', posts: [{ id: 'p9' }, { created_at: '2026-11-19T00:00:00Z' }] };
      expect((await take(neutral([stated]))).refused).toHaveLength(2);
      expect((await creatorOf('ada'))?.posts).toEqual(held?.posts);
      expect(held?.posts).toHaveLength(1);
    });

    it('refuses a repeated creator, however far apart, in dry runs too', async () => {
      const many = Array.from({ length: 100 }, (_none, at) => ({ network_id: `far${at}`, handle: `far_${at}` }));
      const file = neutral([
        ...many,
        { network_id: 'far0', handle: 'far_new' },
        { handle: 'FAR_1' },
        { network_id: 'far100', handle: 'far_2' },
      ]);
      const refused = [
        { row: 100, field: 'network_id', message: 'must appear only once' },
        { row: 101, field: 'handle', message: 'must appear only once' },
        { row: 102, field: 'handle', message: 'must appear only once' },
      ];
      const report = { created: 100, updated: 0, unchanged: 0, refused };
      expect(await take(file, { dryRun: true })).toEqual(report);
      expect(await take(file)).toEqual(report);
    });

    describe('of handles that changed hands', () => {
      const [one, other, third] = [
        { network_id: 'h1', handle: 'hand_one' },
        { network_id: 'h2', handle: 'hand_two' },
        { network_id: 'h3', handle: 'hand_three' },
      ] as const;
      const filler = (name: string) =>
        Array.from({ length: 60 }, (_none, at) => ({ network_id: `${name}${at}`, handle: `${name}_${at}` }));
      const handles = async () =>
        Object.fromEntries(
          await Promise.all(
            ['hand_one', 'hand_two', 'hand_three', 'hand_new'].map(async (handle) => {
              const creator = await creatorOf(handle);
              return [handle, creator === null ? null : creator.network_id] as const;
            }),
          ),
        );

      it.each([
        [
          'a swap',
          [
            { ...one, handle: 'HAND_TWO' },
            { ...other, handle: 'hand_one' },
          ],
          ['h2', 'h1', 'h3', null],
        ],
        [
          'a circle of three',
          [
            { ...one, handle: 'hand_two' },
            { ...other, handle: 'hand_three' },
            { ...third, handle: 'hand_one' },
          ],
          ['h3', 'h1', 'h2', null],
        ],
        [
          'a handle that was given up',
          [
            { ...one, handle: 'hand_two' },
            { ...other, handle: 'hand_new' },
          ],
          [null, 'h1', 'h3', 'h2'],
        ],
      ])('takes %s in any order, near or far, and says so in a dry run', async (_name, rows, after) => {
        for (const order of [rows, [...rows].reverse()])
          for (const between of [[], filler('far')]) {
            await network.store.db
              .collection('creators')
              .updateMany({ network_id: { $in: ['h1', 'h2', 'h3'] } }, { $set: { synced_at: new Date(0) } });
            await take(neutral(filler('far')));
            const last = { network_id: one.network_id, handle: 'hand_four' };
            await take(neutral([last, { ...third, handle: 'hand_five' }, { ...other, handle: 'hand_six' }]));
            await take(neutral([one, other, third]));
            const [first, ...rest] = order;
            const file = neutral([first, ...between, ...rest], { as_of: '2026-11-20T12:00:00Z' });
            const expected = { created: 0, refused: [] };
            expect(await take(file, { dryRun: true })).toMatchObject(expected);
            expect(await take(file)).toMatchObject(expected);
            expect(Object.values(await handles())).toEqual(after);
          }
      });

      it('gives a row without an id to nobody who has another handle in the file', async () => {
        await take(neutral([{ network_id: 'h7', handle: 'hand_seven' }]));
        for (const rows of [
          [
            { network_id: 'h7', handle: 'hand_eight' },
            { handle: 'hand_seven', name: 'Stranger' },
          ],
          [
            { handle: 'hand_eight', name: 'Stranger' },
            { network_id: 'h7', handle: 'hand_nine' },
          ],
        ]) {
          expect(await take(neutral(rows))).toMatchObject({ created: 1, updated: 1, refused: [] });
          expect((await creators().findOne({ network_id: 'h7' }))?.name).toBeNull();
        }
      });

      it('refuses a handle whose holder keeps it, and says how it can change hands', async () => {
        const report = await take(neutral([{ network_id: 'h99', handle: 'hand_nine' }, ...filler('kept')]));
        expect(report).toMatchObject({
          created: 60,
          refused: [
            {
              row: 0,
              field: 'handle',
              message: 'belongs to another creator. If it changed hands, import both in one file',
            },
          ],
        });
      });
    });

    it('changes nothing when a file turns out to be invalid JSON far into it', async () => {
      const many = Array.from({ length: 150 }, (_none, at) => ({ handle: `lost_${at}` }));
      const broken = neutral([...many, { handle: 'BROKEN' }]).replace('"BROKEN"', 'tru');
      await expect(take(broken)).rejects.toMatchObject({ code: 'unprocessable' });
      expect(await identityOf('lost_0')).toBeNull();
    });

    it.each([
      ['no JSON', '{"creators":['],
      ['another shape', '{"people":[]}'],
      ['another version', '{"version":2,"creators":[]}'],
      ['no source', '{"version":1,"as_of":"2026-11-20T00:00:00Z","creators":[]}'],
      ['no date', '{"version":1,"source":"network","creators":[]}'],
    ])('refuses a file of %s', async (_name, text) => {
      await expect(take(text)).rejects.toMatchObject({ code: 'unprocessable' });
    });

    it('reports every problem of a file’s header at once', async () => {
      await expect(take('{"version":2,"as_of":"soon","creators":[]}')).rejects.toMatchObject({
        details: { problems: [{ field: 'version' }, { field: 'as_of' }, { field: 'source' }] },
      });
    });
  });

  describe('of the X API', () => {
    const user = (over: object = {}) => ({
      id: '77',
      username: 'zed',
      name: 'Zed',
      public_metrics: { followers_count: 9 },
      ...over,
    });
    const post = (id: string, over: object = {}) => ({
      id,
      author_id: '77',
      created_at: '2026-11-19T00:00:00.000Z',
      text: 'hi',
      lang: 'de',
      conversation_id: id,
      public_metrics: { impression_count: 5, like_count: 1 },
      ...over,
    });

    it('reads posts by kind, without replies and reposts', async () => {
      const report = await take(
        JSON.stringify({
          data: [
            post('1'),
            post('2', { referenced_tweets: [{ type: 'quoted', id: '9' }] }),
            post('3'),
            post('4', { in_reply_to_user_id: '77', conversation_id: '3' }),
            post('5', { in_reply_to_user_id: '88' }),
            post('6', { referenced_posts: [{ type: 'reposted', id: '9' }] }),
            post('7', { public_metrics: { impression_count: 0, like_count: 3 }, note_tweet: { text: 'a long note' } }),
            post('1'),
            post('8', { author_id: '99' }),
            post('9', { created_at: 'soon' }),
          ],
          includes: { users: [user(), { id: '78' }, user({ id: '76', username: 'passer_by' })] },
          errors: [{ title: 'Not Found' }],
        }),
      );
      expect(report.created).toBe(1);
      expect(await creatorOf('passer_by')).toBeNull();
      expect(report.refused.map(({ row, field }) => [row, field])).toEqual([
        [9, 'data.created_at'],
        [1, 'includes.users.username'],
        [0, 'errors'],
        [7, 'data.id'],
        [8, 'data.author_id'],
      ]);
      const zed = await creatorOf('zed');
      expect(zed?.language).toBe('German');
      expect(zed?.posts.map(({ kind, views, text }) => [kind, views, text]).sort()).toEqual([
        ['post', null, 'a long note'],
        ['post', 5, 'hi'],
        ['quote', 5, 'hi'],
        ['thread', 5, 'hi'],
      ]);
      expect(zed?.views_source).toBe('network');
    });

    it('keeps the newest version of an edited post, whatever file it comes in', async () => {
      const of = { author_id: '84' };
      const version = (id: string, text: string, history: string[], over: object = {}) =>
        post(id, { ...of, text, edit_history_tweet_ids: history, ...over });
      const file = (...data: object[]) =>
        JSON.stringify({ data, includes: { users: [user({ id: '84', username: 'editor' })] } });
      const texts = async () => (await creatorOf('editor'))?.posts.map(({ text }) => text).sort();
      const paid = { paid_partnership: true };
      await take(file(version('999', 'paid partnership with Acme', ['999'], paid), post('5', { ...of, text: 'Else' })));
      const newest = version('1001', 'paid partnership with Acme again', ['999', '1000', '1001'], paid);
      expect(
        await take(
          file(
            newest,
            version('999', 'Old', ['999', '1000', '1001']),
            version('1000', 'Mid', ['999', '1000']),
            post('5', of),
          ),
        ),
      ).toMatchObject({
        updated: 1,
        refused: [],
      });
      expect(await texts()).toEqual(['hi', 'paid partnership with Acme again']);
      expect((await creatorOf('editor'))?.collabs).toHaveLength(1);
    });

    it('names what X could not give, and why', async () => {
      const errors = [
        {
          value: '12',
          resource_id: '12',
          resource_type: 'user',
          title: 'Not Found Error',
          detail: 'Could not find user.',
        },
        { value: '13', resource_type: 'tweet', title: 'Authorization Error' },
        {
          value: 'ada',
          parameter: 'usernames',
          resource_type: 'user',
          title: 'Forbidden',
          detail: 'User ada is suspended.',
        },
        'odd',
      ];
      const report = await take(JSON.stringify({ data: [user({ id: '85', username: 'partial' })], errors }));
      expect(report.created).toBe(1);
      expect(report.refused.map(({ message }) => message)).toEqual([
        'X gave no user 12: Could not find user.',
        'X gave no tweet 13: Authorization Error',
        'X gave no user: Forbidden',
        'X gave no entry: it gave no reason',
      ]);
    });

    it('reads quotes and links from expanded addresses, and keeps neither in the text', async () => {
      const links = (...urls: string[]) => ({
        entities: { urls: urls.map((expanded_url, at) => ({ url: `https://t.co/a${at}`, expanded_url })) },
      });
      const of = { author_id: '81' };
      await take(
        JSON.stringify({
          data: [
            post('1', {
              ...of,
              text: 'Q&amp;A &lt;3 https://t.co/a0',
              referenced_tweets: [{ type: 'quoted', id: '9' }],
              ...links('https://twitter.com/OrbitLabs/status/9'),
            }),
            post('2', {
              ...of,
              text: 'Look https://t.co/a0 https://t.co/a1',
              ...links('https://www.orbit.example/two'),
            }),
            post('3', {
              ...of,
              text: 'Odd',
              entities: { urls: [null, { url: 'O', expanded_url: 'https://a.example' }] },
            }),
            post('4', {
              ...of,
              note_tweet: { text: 'Long https://t.co/a0', ...links('https://nova.example') },
              ...links('https://other.example'),
            }),
          ],
          includes: { users: [user({ id: '81', username: 'linker' })] },
        }),
      );
      const linker = await creatorOf('linker');
      expect(linker?.posts.map(({ text }) => text).sort()).toEqual(['Long', 'Look', 'Odd', 'Q&A <3']);
      const evidence = await network.identityStore.db
        .collection<{ _id: string; posts: PostEvidence[] }>('post_evidence')
        .findOne({ _id: linker?._id ?? '' });
      expect(evidence?.posts.map(({ id, quoted, links: found }) => [id, quoted, found]).sort()).toEqual([
        ['1', 'orbitlabs', ['twitter.com/orbitlabs/status/9']],
        ['2', null, ['orbit.example/two', 't.co/a1']],
        ['4', null, ['nova.example']],
      ]);
    });

    it('reads a bare user followed by its posts', async () => {
      const one = JSON.stringify({ data: user({ id: '79', username: 'solo' }) });
      const posts = JSON.stringify({ data: [post('91', { author_id: '79' })], includes: {} });
      expect(await take(`${one}\n${posts}`)).toEqual({ created: 1, updated: 0, unchanged: 0, refused: [] });
      expect(await creatorOf('solo')).toMatchObject({ network_id: '79', posts: [{ text: 'hi' }] });
    });

    it('derives the language from the stored posts only', async () => {
      const recent = [1, 2, 3].map((at) => post(`10${at}`, { author_id: '80', lang: 'fr' }));
      const old = [1, 2, 3, 4].map((at) => post(`11${at}`, { author_id: '80', created_at: '2026-08-01T00:00:00Z' }));
      await take(
        JSON.stringify({ data: [...old, ...recent], includes: { users: [user({ id: '80', username: 'lingo' })] } }),
      );
      expect((await creatorOf('lingo'))?.language).toBe('French');
    });

    withShared('golden: one real answer', async () => {
      const report = await take(shared('verified_type.jsonl'), { asOf: new Date('2022-12-20T00:00:00Z') });
      expect(report).toEqual({ created: 1, updated: 0, unchanged: 0, refused: [] });
      const golden = await creatorOf('TwitterDev');
      expect(golden).toMatchObject({
        network_id: '2244994945',
        name: 'Twitter Dev',
        followers: 556_601,
        reach_band: 'macro',
        verified_badge: true,
        country: null,
        language: 'English',
        account: { created_at: new Date('2013-12-14T04:35:55.000Z'), protected: false },
        posts: [{ kind: 'post', views: 139_075, likes: 745, replies: 37, reposts: 104, quotes: 24, bookmarks: null }],
        median_views_30d: null,
        status: 'not_reviewed',
      });
      expect(await identityOf('twitterdev')).toMatchObject({ url: 'https://x.com/TwitterDev' });
    });

    withShared.each(['users_by.json', 'users_id_tweets.json', 'tweets_search_recent.json', 'tweets_analytics.json'])(
      'handles the invented answer %s and reports row by row',
      async (name) => {
        const pages = JSON.parse(shared(name)) as { response: unknown }[];
        for (const { response } of pages) {
          const report = await take(JSON.stringify(response), { dryRun: true });
          expect(report.created).toBe(0);
          expect(report.refused.length).toBeGreaterThan(0);
          for (const refused of report.refused)
            expect(refused).toEqual({
              row: expect.any(Number),
              field: expect.any(String),
              message: expect.any(String),
            });
        }
      },
    );
  });

  describe('of X analytics, for one creator', () => {
    const OLD =
      '"Tweet id","Tweet permalink","Tweet text","time","impressions","engagements","engagement rate","retweets","replies","likes"';
    const NEW =
      'Post id,Date,Post text,Post Link,Impressions,Likes,Engagements,Bookmarks,Shares,New follows,Replies,Reposts';
    let creator: NonNullable<ImportWanted['creator']>;

    beforeAll(async () => {
      const eve = await identityOf('eve');
      creator = { id: eve?._id ?? '', handle: 'eve', networkId: '6' };
    });

    it('reads the old header', async () => {
      const text = [
        `\uFEFF${OLD}`,
        '"11","https://twitter.com/Eve/status/11","Two\nlines, ""quoted""","2026-11-18 10:00 +0000","4922.0","5","0.1","-","1","3"',
        '"12","https://twitter.com/eve/status/12","@someone I made this","2026-11-18 10:00 +0000","5","5","0.1","0","1","3"',
        '"13","https://twitter.com/other/status/13","Not mine","2026-11-18 10:00 +0000","5","5","0.1","0","1","3"',
        '"x","","","2026-11-18 10:00 +0000","5","5","0.1","0","1","3"',
        '"11","","Again","2026-11-18 10:00 +0000","5","5","0.1","0","1","3"',
        '"14","","Half","2026-11-18 10:00 +0000","5.5","5","0.1","0","1","3"',
        '"15","","Later","2027-11-18 10:00 +0000","5","5","0.1","0","1","3"',
        '"16","","Never","2026-02-30 10:00 +0000","5","5","0.1","0","1","3"',
        '"17","x.com/somebody_else_of_x/status/17","Not mine","2026-11-18 10:00 +0000","5","5","0.1","0","1","3"',
      ].join('\r\n');
      const report = await take(text, { creator }, 'csv');
      expect(report).toMatchObject({ created: 0, updated: 1 });
      expect(report.refused.map(({ row, field }) => [row, field])).toEqual([
        [2, 'permalink'],
        [3, 'id'],
        [4, 'id'],
        [5, 'impressions'],
        [6, 'time'],
        [7, 'time'],
        [8, 'permalink'],
      ]);
      const eve = await creatorOf('eve');
      expect(eve).toMatchObject({ views_source: 'creator' });
      expect(eve?.posts).toMatchObject([
        { text: 'I made this', views: 5 },
        { text: 'Two\nlines, "quoted"', views: 4_922, likes: 3, reposts: null },
      ]);
    });

    it('reads the new header', async () => {
      const text = `${NEW}\n21,"Wed, Nov 18, 2026",New one,https://x.com/eve/status/21,"1,200",3,4,5,6,7,8,9\n`;
      expect(await take(text, { creator }, 'csv')).toEqual({ created: 0, updated: 1, unchanged: 0, refused: [] });
      expect((await creatorOf('eve'))?.posts).toMatchObject([
        {
          text: 'New one',
          views: 1_200,
          likes: 3,
          bookmarks: 5,
          replies: 8,
          reposts: 9,
          published_at: new Date('2026-11-18T00:00:00Z'),
        },
      ]);
    });

    it.each([
      ['with points', ['1.000', '2.345', '950'], [1_000, 2_345, 950]],
      ['with commas', ['"1,000"', '"1,234,567"', '950'], [1_000, 1_234_567, 950]],
      ['with spaces', ['1 000', '2\u202F345', "1'234'567"], [1_000, 2_345, 1_234_567]],
      ['with nothing but a point', ['1.000', '950', '3'], [null, 950, 3]],
      ['with points for decimals', ['1.000', '4922.0', '7.0'], [null, 4_922, 7]],
      ['with commas for decimals', ['"1,000"', '"4922,0"', '7'], [null, 4_922, 7]],
      ['with both signs', ['"1,000"', '2.345', '7'], [null, 2_345, 7]],
      ['with thousands that have no sign', ['1.000', '4922', '"1,000"'], [null, 4_922, null]],
    ])('reads counts %s, and never thousands as one', async (_name, cells, views) => {
      const rows = cells.map((cell, at) => `3${at},2026-11-1${at},Text ${at},,${cell},,,,,,,`);
      const report = await take([NEW, ...rows].join('\n'), { creator }, 'csv');
      const stored = (await creatorOf('eve'))?.posts ?? [];
      expect(cells.map((_cell, at) => stored.find(({ text }) => text === `Text ${at}`)?.views ?? null)).toEqual(views);
      expect(report.refused.map(({ row, field }) => [row, field])).toEqual(
        views.flatMap((count, row) => (count === null ? [[row, 'impressions']] : [])),
      );
    });

    it.each([
      [';', 'semicolons'],
      ['\t', 'tabs'],
    ])('refuses a file separated by %j, and says so', async (sign, name) => {
      await expect(take(NEW.replaceAll(',', sign), { creator }, 'csv')).rejects.toMatchObject({
        details: { problems: [{ message: `is separated by ${name}. Save it with commas between its fields` }] },
      });
    });

    it('changes nothing when no row can be read', async () => {
      const before = await creatorOf('eve');
      const text = `${NEW}\nx,"Wed, Nov 18, 2026",One,,1,3,4,5,6,7,8,9\n22,soon,Two,,1,3,4,5,6,7,8,9\n`;
      const report = await take(text, { creator }, 'csv');
      expect(report).toMatchObject({ updated: 0, unchanged: 0, refused: [{ field: 'id' }, { field: 'time' }] });
      expect(await creatorOf('eve')).toEqual(before);
    });

    it('refuses a quote that is never closed, which would take the rest of the file as one text', async () => {
      const text = `${NEW}\n22,"Wed, Nov 18, 2026","One,,1,3,4,5,6,7,8,9\n23,"Wed, Nov 18, 2026",Two,,1,3,4,5,6,7,8,9\n`;
      await expect(take(text, { creator }, 'csv')).rejects.toMatchObject({
        details: { problems: [{ field: 'body', message: 'has a quote that is never closed' }] },
      });
    });

    it('refuses another header, and a CSV without a creator', async () => {
      await expect(take('a,b,c\n1,2,3', { creator }, 'csv')).rejects.toMatchObject({ code: 'unprocessable' });
      await expect(take(NEW, {}, 'csv')).rejects.toMatchObject({ code: 'unprocessable' });
    });

    it('accepts JSON for one creator, and refuses others in it', async () => {
      const report = await take(
        neutral(
          [
            { network_id: '6', handle: 'eve' },
            { network_id: '1', handle: 'ada' },
          ],
          { as_of: NOW },
        ),
        { creator },
      );
      expect(report.refused).toEqual([
        { row: 1, field: 'handle', message: 'must be the creator that the request names' },
      ]);
    });
  });
});
