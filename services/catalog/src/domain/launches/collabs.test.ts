import { describe, expect, it } from '@jest/globals';
import { handleHider } from '../creator/own-handle.js';
import {
  type Collab,
  collabsAfter,
  collabsOfBoth,
  collabsShown,
  initialsOf,
  type Launch,
  launchesFor,
  launchPart,
  withoutOwnHandle,
} from './collabs.js';
import { type CollabPost, evidenceIn, isDisclosed } from './evidence.js';

const aLaunch = (over: Partial<Launch> = {}): Launch => ({
  _id: 'launch-1',
  project: 'Orbit',
  title: 'Orbit 2 is here',
  brand: { name: 'Orbit Labs', handle: 'orbitlabs', site: 'https://www.orbit.example/', avatar_url: null },
  date: '2026-11-10',
  segments: ['startup-founders'],
  ...over,
});
let made = 0;
const aPost = (over: Partial<CollabPost> & { day?: string } = {}): CollabPost => {
  const { day = '2026-11-10', ...post } = over;
  made += 1;
  return {
    id: `post-${made}`,
    created_at: new Date(`${day}T12:00:00.000Z`),
    text: 'A plain day.',
    paid_partnership: false,
    ...post,
  };
};
const aCollab = (over: Partial<Collab> = {}): Collab => ({
  launch_id: 'launch-1',
  project: 'Orbit',
  title: null,
  date: '2026-11-10',
  role: 'Launch post',
  brand: null,
  segments: ['startup-founders'],
  ...over,
});
const asIs = (text: string) => text;
const found = (posts: CollabPost[], launches = [aLaunch()], held: Collab[] = []) =>
  collabsAfter(
    held,
    posts.flatMap((post) => evidenceIn(post, asIs) ?? []),
    launches,
  );
const roles = (posts: CollabPost[], launches?: Launch[]) => found(posts, launches).map(({ role }) => role);

describe('a tracked launch', () => {
  it.each<[string, CollabPost, string[]]>([
    ['a post that quotes the brand', aPost({ quoted_handle: '@OrbitLabs' }), ['Quoted the launch']],
    ['a post that names the handle', aPost({ text: 'Great work @OrbitLabs!' }), ['Launch post']],
    ['a post that links the site', aPost({ text: 'See https://orbit.example/new, it is good' }), ['Launch post']],
    ['a link without a scheme', aPost({ text: 'See orbit.example.' }), ['Launch post']],
    ['another handle with the same beginning', aPost({ text: 'Great work @orbitlabs_fan' }), []],
    ['another site with the same beginning', aPost({ text: 'https://orbit.example.evil.test' }), []],
    ['a quote of somebody else', aPost({ quoted_handle: 'someone' }), []],
    ['one day before', aPost({ day: '2026-11-09', quoted_handle: 'orbitlabs' }), ['Quoted the launch']],
    ['two days before', aPost({ day: '2026-11-08', quoted_handle: 'orbitlabs' }), []],
    ['seven days after', aPost({ day: '2026-11-17', quoted_handle: 'orbitlabs' }), ['Quoted the launch']],
    ['eight days after', aPost({ day: '2026-11-18', quoted_handle: 'orbitlabs' }), []],
    ['a paid post of the launch', aPost({ paid_partnership: true, text: '@orbitlabs #ad' }), ['Launch post']],
  ])('treats %s correctly', (_name, post, expected) => {
    expect(roles([post])).toEqual(expected);
  });

  it('appears once, as its launch post', () => {
    expect(found([aPost({ quoted_handle: 'orbitlabs' }), aPost({ text: '@orbitlabs' })])).toEqual([
      {
        launch_id: 'launch-1',
        project: 'Orbit',
        title: 'Orbit 2 is here',
        date: '2026-11-10',
        role: 'Launch post',
        brand: aLaunch().brand,
        segments: ['startup-founders'],
      },
    ]);
  });

  it('remains after its post left the window, with the list’s current wording', () => {
    expect(found([], [aLaunch({ project: 'Orbit Two' })], [aCollab()])).toMatchObject([{ project: 'Orbit Two' }]);
    expect(found([], [], [aCollab()])).toEqual([]);
  });
});

describe('a paid post', () => {
  const paid = aPost({ paid_partnership: true, text: 'Good work @orbitlabs, paid partnership with Orbit' });

  it('is a partnership unless a tracked launch explains it', () => {
    const before = found([paid], []);
    expect(before).toMatchObject([{ launch_id: null, project: 'Orbit' }]);
    const explained = found([paid], [aLaunch()], before);
    expect(explained).toMatchObject([{ launch_id: 'launch-1', role: 'Launch post' }]);
    expect(found([paid], [], explained)).toEqual(before);
  });

  it('remains a partnership after the post is gone', () => {
    expect(found([], [aLaunch()], found([paid], []))).toMatchObject([{ launch_id: null, project: 'Orbit' }]);
  });
});

describe('a paid partnership', () => {
  it.each([
    ['the mark of the network', aPost({ paid_partnership: true }), true],
    ['#ad', aPost({ text: 'Nice. #ad' }), true],
    ['#Sponsored at the start', aPost({ text: '#Sponsored Nice.' }), true],
    ['the words', aPost({ text: 'In Paid partnership with Acme.' }), true],
    ['#adventure', aPost({ text: 'An #adventure' }), false],
    ['no mark', aPost(), false],
  ])('is recognised by %s', (_name, post, paid) => {
    expect(isDisclosed(post)).toBe(paid);
    expect(roles([post], [])).toEqual(paid ? ['Paid partnership'] : []);
  });

  it.each([
    ['Paid partnership with Acme Corp for gamers', 'Acme Corp'],
    ['paid partnership with Acme.', 'Acme'],
    ['Paid partnership with Acme. Great people.', 'Acme'],
    ['Paid partnership with Acme\nToday I tried it', 'Acme'],
    ['Paid partnership with Node.js Works, Berlin', 'Node.js Works'],
    ['paid partnership with @acme', 'Partner not named'],
    ['#ad for a thing', 'Partner not named'],
  ])('in %p names %p', (text, project) => {
    expect(found([aPost({ text })], [])).toMatchObject([{ project, title: null, date: '2026-11-10', brand: null }]);
  });

  it('exists once per paid post, even on one day, whether the posts are stated again or gone', () => {
    const posts = [aPost({ text: '#ad for gamers' }), aPost({ text: '#ad for parents' }), aPost({ text: '#ad' })];
    const once = found(posts, []);
    expect(once).toHaveLength(3);
    expect(found(posts, [], once)).toEqual(once);
    expect(found([], [], once)).toEqual(once);
    expect(found(posts.slice(0, 1), [], once)).toHaveLength(3);
    const explained = found([...posts, aPost({ text: '#ad @orbitlabs' })], [aLaunch()], once);
    expect(explained.map(({ role }) => role)).toEqual([
      'Launch post',
      'Paid partnership',
      'Paid partnership',
      'Paid partnership',
    ]);
    expect(found([...posts, aPost({ text: '#ad @orbitlabs' })], [aLaunch()], explained)).toEqual(explained);
  });

  it('is one, however its partner is written when it is stated again', () => {
    const [acme, labs, capitals] = ['Acme', 'Acme Labs', 'ACME'].map((partner) =>
      aPost({ text: `Paid partnership with ${partner}` }),
    ) as [CollabPost, CollabPost, CollabPost];
    const again = (post: CollabPost, held: Collab[]) => found([{ ...post, id: acme.id }], [], held);
    const once = again(capitals, again(labs, again(acme, [])));
    expect(once).toMatchObject([{ project: 'ACME', post_id: acme.id }]);
    expect(collabsOfBoth(once, again(labs, []))).toEqual(once);
    const withoutPost = ['Acme', 'Acme Labs', 'ACME'].map((project) =>
      aCollab({ launch_id: null, role: 'Paid partnership', project }),
    );
    expect(again(acme, withoutPost)).toEqual(again(acme, []));
  });

  it('shows no handle of the creator itself, as a founder’s launch has it', () => {
    const hide = handleHider(['orbit_labs']);
    const brand = { ...aLaunch().brand, handle: 'OrbitLabs', site: 'https://orbitlabs.example', avatar_url: null };
    expect(withoutOwnHandle(aCollab({ project: 'orbit_labs 2', brand }), hide)).toMatchObject({
      project: '2',
      brand: { handle: null, site: null },
    });
    const other = aCollab({ brand: aLaunch({ brand: { ...brand, handle: 'acme', site: 'acme.example' } }).brand });
    expect(withoutOwnHandle(other, hide)).toEqual(other);
  });

  it('has the segments of its text', () => {
    expect(found([aPost({ text: '#ad for gamers and parents' })], [])[0]?.segments.sort()).toEqual([
      'gaming',
      'parents',
    ]);
  });
});

describe('the collaborations of two duplicates', () => {
  it('contain shared entries once, and a day’s paid posts as often as one of them does', () => {
    const paid = (project: string) => aCollab({ launch_id: null, role: 'Paid partnership', project });
    const one = [aCollab(), paid('Acme'), paid('Acme')];
    const other = [
      aCollab({ role: 'Quoted the launch' }),
      aCollab({ launch_id: 'launch-2' }),
      paid('Acme'),
      paid('Nova'),
    ];
    expect(collabsOfBoth(one, other)).toEqual([...one, other[1], other[3]]);
    expect(collabsOfBoth([paid('Acme')], one)).toEqual([paid('Acme'), one[0], one[2]]);
  });
});

describe('past collaborations', () => {
  it('are launches newest first, then partnerships newest first, at most twelve', () => {
    const launches = ['2026-11-01', '2026-11-10'].map((date, at) => aLaunch({ _id: `l${at}`, date }));
    const partnerships = Array.from({ length: 14 }, (_none, at) =>
      aPost({ day: `2026-10-${String(at + 10)}`, paid_partnership: true }),
    );
    const all = found(
      [...partnerships, aPost({ text: '@orbitlabs' }), aPost({ day: '2026-11-02', text: '@orbitlabs' })],
      launches,
    );
    expect(all).toHaveLength(16);
    expect(
      collabsShown(all)
        .map(({ date }) => date)
        .slice(0, 4),
    ).toEqual(['2026-11-10', '2026-11-01', '2026-10-23', '2026-10-22']);
    expect(collabsShown(all)).toHaveLength(12);
  });

  it.each([
    ['Orbit Labs Inc', 'OL'],
    ['orbit', 'O'],
    ['', null],
    ['Élan & Sons', 'ÉS'],
  ])('abbreviate %p to %p', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });

  it('count towards a score in the last 12 months and the audience’s segments', () => {
    const audience = [{ id: 'startup-founders', weight: 1 }];
    const count = (date: string, segments = ['startup-founders']) =>
      launchesFor([aCollab({ date, segments })], audience, '2026-11-21').count;
    expect([count('2025-11-21'), count('2025-11-20'), count('2026-11-21'), count('2026-11-01', ['sales'])]).toEqual([
      1, 0, 1, 0,
    ]);
    expect([0, 1, 3, 9].map(launchPart)).toEqual([0, 1 / 3, 1, 1]);
  });
});
