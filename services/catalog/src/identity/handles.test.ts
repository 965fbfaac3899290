import { type Encoded, makeLogger } from '@cds/service';
import { proves } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { MeterWant } from '../domain/meter/meter.js';
import { creatorGet } from '../operations/creator-get.js';
import { creatorsSearch } from '../operations/creators-search.js';
import { avatarsAt } from '../present/avatar.js';
import { aCreator, anId, aPost, aUnit } from '../test/builders.js';
import { APP_URL, aRequest, NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { EnumerationDetector } from './enumeration-detector.js';
import { HandleLeakFilter } from './handle-leak-filter.js';

const ADA = anId(0x1);
const BEN = anId(0x2);
const CEM = anId(0x3);

describe('handles', () => {
  const network = testNetwork('handles');

  const SHOWN: Readonly<Record<string, string>> = { [ADA]: 'ada', [BEN]: 'ben', [CEM]: 'cem i use a quill.' };
  const WITHOUT_LIMIT = { book: (_of: string, { creators }: MeterWant) => ({ granted: creators, refused: null }) };

  const found = async (q: string, meters: object = network.meters): Promise<string[]> => {
    const answer = (await creatorsSearch(aRequest(), { q }, { ...network, meters: meters as never })) as Encoded;
    const { creators } = JSON.parse(Buffer.from(answer.json as Uint8Array).toString()) as {
      creators: { id: string }[];
    };
    return creators.map(({ id }) => id).sort((one, other) => one.localeCompare(other));
  };

  beforeAll(async () => {
    await network.take([
      aCreator({ id: ADA, handle: 'Quill_One', name: 'Ada' }),
      aCreator({ id: BEN, handle: 'quill_two', name: 'Ben' }),
      aCreator({ id: CEM, handle: 'other', name: 'Cem', bio: 'I use a quill.' }),
    ]);
  });

  it.each([
    ['one of its words', 'quill', [ADA, BEN, CEM]],
    ['a whole handle, any case', '@QUILL_ONE', [ADA]],
    ['a whole handle', 'quill_two', [BEN]],
    ['a part of a word in its bio alone', 'uil', [CEM]],
    ['no beginning of a handle', 'quill_', []],
    ['no word of three characters', 'two', []],
    ['every word of the text', 'ben quill', [BEN]],
    ['no word that is missing', 'ada quill_two', []],
    ['a text spanning two handles', 'one\nquill', []],
    ['nobody', 'quill_three', []],
  ])('q finds by %s', async (_name, q, ids) => {
    proves('creators.q');
    expect(await found(q)).toEqual(ids);
  });

  it('500 searches that add letters find by whole words alone, so they tell none', async () => {
    const texts = { [ADA]: 'ada quill quill_one', [BEN]: 'ben quill quill_two', [CEM]: 'cem other' };
    const holds = (text: string, part: string) => text.split(' ').some((word) => word === part);
    const searched = new Set<string>();
    for (let at = 0, known = ''; searched.size < 500; at += 1, known = 'quill_two'.slice(0, at % 10))
      for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789_')
        searched.add(`${known}${letter}${at > 9 ? at : ''}`);
    for (const part of searched) {
      const byHandle = (await found(part, WITHOUT_LIMIT)).filter((id) => !SHOWN[id]?.includes(part));
      expect(byHandle).toEqual(Object.keys(texts).filter((id) => part.length > 3 && holds(texts[id] ?? '', part)));
    }
  });

  it('q finds by a new handle and no longer by the old one', async () => {
    await network.take([aCreator({ id: BEN, network_id: await networkIdOf(BEN), handle: 'feather', name: 'Ben' })]);
    expect(await found('feather')).toEqual([BEN]);
    expect(await found('quill_two')).toEqual([]);
  });

  const networkIdOf = async (id: string): Promise<string> => (await network.creators.byId(id))?.network_id ?? '';

  it.each([
    ['letter by letter', ['qui', 'quil', 'quill', 'quill_', 'quill_o', 'ada', 'adam']],
    ['with wrong guesses', ['qua', 'qub', 'ada', 'quc', 'qud', 'que']],
    ['with other searches between', ['quill', 'quilla', 'design', 'quillb', 'ada', 'quillc']],
  ])('spelling out a handle %s raises one alarm', (_name, probes) => {
    const alarms: unknown[] = [];
    const watch = new EnumerationDetector({ error: (fields: unknown) => alarms.push(fields) } as never);
    for (const part of probes) watch.note('ws', part);
    for (const part of ['qui', 'quil', 'data', 'date', 'designer', 'design', 'data']) watch.note('other', part);
    expect(alarms).toEqual([{ alarm: 'handle_enumeration', workspace: 'ws' }]);
  });

  describe('the leak filter', () => {
    it('blocks a row and a page that contain a known handle, and raises an alarm without quoting it', async () => {
      const lines: unknown[] = [];
      const leakFilter = new HandleLeakFilter(
        network.handles,
        { error: (fields: unknown) => lines.push(fields) } as never,
        avatarsAt(APP_URL),
      );
      const rows = network.store.db.collection<{ _id: string }>('creators');
      const before = await found('cem');
      await rows.updateOne({ _id: CEM }, { $set: { bio: 'Ask @Quill_One about it.' } });
      await expect(creatorGet(aRequest(), { id: CEM }, { ...network, leakFilter })).rejects.toMatchObject({
        code: 'not_found',
      });
      expect(lines).toEqual([{ alarm: 'handle_leak', creator_id: CEM }]);

      await rows.updateOne({ _id: CEM }, { $set: { network_version: await network.state.next() } });
      await network.memory.follow(NOW.slice(0, 10));
      expect(before).toEqual([CEM]);
      expect(await found('cem')).toEqual([]);
    });

    it('does not take our own picture addresses for a creator’s link', () => {
      const known = new Set(['avatars', 'app', 'example', 'quill_one']);
      const leakFilter = new HandleLeakFilter(
        { has: (word) => known.has(word) },
        makeLogger('catalog', 'silent'),
        avatarsAt(APP_URL),
      );
      const picture = `${avatarsAt(APP_URL)}${'0a'.repeat(16)}.png`;
      expect(leakFilter.passes('id', JSON.stringify({ avatar_url: picture }))).toBe(true);
      for (const text of [
        `${avatarsAt(APP_URL)}x.com/quill_one`,
        'https://example.com/avatars/',
        `${picture} @avatars`,
      ])
        expect({ text, passes: leakFilter.passes('id', JSON.stringify({ text })) }).toEqual({ text, passes: false });
    });

    it('allows a brand’s own pages, except those on X and any mentions', () => {
      const leakFilter = new HandleLeakFilter(
        { has: (word) => ['app', 'quill_one'].includes(word) },
        makeLogger('catalog', 'silent'),
        avatarsAt(APP_URL),
      );
      const passes = (brand: object) => leakFilter.passes('id', JSON.stringify({ past_collabs: [{ brand }] }));
      expect(passes({ site: 'https://brand.example/app', avatar_url: 'https://app.brand.example/a.png' })).toBe(true);
      for (const site of [
        'https://x.com/quill_one',
        'twitter.com/quill_one',
        'https://mobile.twitter.com/quill_one',
        'https://brand.example/@quill_one',
        'https://brand.example/%40quill_one',
      ])
        expect({ site, passes: passes({ site }) }).toEqual({ site, passes: false });
      expect(passes({ name: 'https://brand.example/app' })).toBe(false);
      expect(leakFilter.passes('id', JSON.stringify({ bio: '"site":"https://brand.example/app"' }))).toBe(false);
    });

    it('scans 2,000 rows against 2,000 handles quickly', async () => {
      const known = new Set(Array.from({ length: 2_000 }, (_none, at) => `handle_${at}`));
      const leakFilter = new HandleLeakFilter(
        { has: (word) => known.has(word) },
        makeLogger('catalog', 'silent'),
        avatarsAt(APP_URL),
      );
      const row = JSON.stringify({ bio: 'See example.com/path and @nobody. '.repeat(50) });
      const before = performance.now();
      for (let at = 0; at < 2_000; at += 1) expect(leakFilter.passes('id', row)).toBe(true);
      expect(performance.now() - before).toBeLessThan(5_000);
    });
  });

  it('an import removes every form of a handle from the texts', async () => {
    const id = anId(0x9);
    await network.take([
      aCreator({
        id,
        handle: 'Canary_9',
        name: 'Nine (canary_9)',
        bio: 'I am Canary_9. ＠canary_9, @\u200bcanary_9, %40canary_9, t.me/canary_9, me@canary_9.com, ｃａｎａｒｙ＿９.',
        posts: [1, 2, 3].map((at) =>
          aPost({
            ageDays: at,
            text: `#canary_9 by @canary_9 https://x.com/canary_9/status/${at} and links.zone/canary_9`,
          }),
        ),
        units: [
          {
            format: 'post',
            label: 'By @canary_9',
            deliverable: 'A post on x.com/canary_9',
            ask_cents: 7_500,
            as_of: '2026-11-20',
            source: 'creator',
            method: 'stated',
          },
        ],
      }),
    ]);
    expect(JSON.stringify(await network.creators.byId(id))).not.toMatch(/canary|ｃａｎａｒｙ/i);
  });

  it.each([
    ['with posts', anId(0x20), 'nimbleforge', [1, 2, 3].map((at) => aPost({ ageDays: at, text: 'Built with Acme.' }))],
    ['without posts', anId(0x21), 'nimblecraft', undefined],
  ])('an import %s under a new handle cleans what is stored', async (_name, id, handle, posts) => {
    const name = `N${handle.slice(1)}`;
    const text = `Paid partnership with ${name}. ${name} tools. #ad`;
    const unit = { ...aUnit(), label: `By ${name}`, deliverable: `A post by ${name}` };
    const before = Array.from({ length: 10 }, (_none, at) => aPost({ ageDays: 2 + at, text }));
    await network.take([aCreator({ id, network_id: id, bio: `Founder of ${name}`, posts: before, units: [unit] })]);
    const brand = { name: 'Acme', handle, site: `https://${handle}.example`, avatar_url: null };
    const asFounder = { launch_id: null, project: 'Acme', title: null, date: '2026-06-01', role: 'Launch post' };
    await network.store.db
      .collection<{ _id: string; collabs: object[] }>('creators')
      .updateOne({ _id: id }, { $push: { collabs: { ...asFounder, brand, segments: [] } } });
    const held = await network.creators.byId(id);
    const summary = held?.posts_summary;
    const shown = [held?.bio, held?.posts, summary?.top_post, summary?.recurring, held?.units, held?.collabs];
    for (const one of shown) expect(JSON.stringify(one)).toMatch(new RegExp(handle, 'i'));

    const at = new Date(NOW);
    const report = await network.importer.importRows(
      [{ row: 0, stated: { network_id: id, handle, posts, units: [] }, refused: [] }],
      { asOf: at, recordedAt: at, viewsSource: 'network', setBy: 'test' },
    );
    expect(report).toMatchObject({ updated: 1, refused: [] });
    expect(JSON.stringify(await network.creators.byId(id))).not.toMatch(new RegExp(handle, 'i'));
  });
});
