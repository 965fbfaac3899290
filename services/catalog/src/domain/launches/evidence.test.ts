import { describe, expect, it } from '@jest/globals';
import { cleanerFor } from '../creator/cleaning.js';
import { bare, type CollabPost, evidenceAfter, evidenceIn, type PostEvidence, siteOf } from './evidence.js';

const clean = cleanerFor('demo_ada');
const aPost = (over: Partial<CollabPost> = {}): CollabPost => ({
  id: '1',
  created_at: new Date('2026-11-10T23:59:59.000Z'),
  text: 'A plain day.',
  paid_partnership: false,
  ...over,
});

describe('the evidence in a post', () => {
  it('is empty if it quotes, names and links nobody and was not paid for', () => {
    expect(evidenceIn(aPost(), clean)).toBeNull();
  });

  it('is dated by the day of the post', () => {
    expect(evidenceIn(aPost({ text: '@orbit' }), clean)).toMatchObject({ id: '1', day: '2026-11-10' });
  });

  it.each<[string, string, string[]]>([
    ['a handle, in any case', 'Thanks @OrbitLabs!', ['orbitlabs']],
    ['one after a dot', '.@orbitlabs shipped', ['orbitlabs']],
    ['a full-width one', 'Thanks ＠orbitlabs', ['orbitlabs']],
    ['each once', '@orbit @orbit @nova', ['orbit', 'nova']],
    ['no part of a mail address', 'Write to me@orbitlabs', []],
  ])('finds %s', (_name, text, named) => {
    expect(evidenceIn(aPost({ text }), clean)?.named ?? []).toEqual(named);
  });

  it.each<[string, string, string[]]>([
    ['a site without scheme, www and a slash at the end', 'See https://www.Orbit.example/', ['orbit.example']],
    ['a page of it, without surrounding punctuation', '(orbit.example/two?x=1).', ['orbit.example/two?x=1']],
    ['no number', 'Version 2.0 is out', []],
  ])('finds links: %s', (_name, text, links) => {
    expect(evidenceIn(aPost({ text }), clean)?.links ?? []).toEqual(links);
  });

  it('stores at most twenty handles per post', () => {
    const text = Array.from({ length: 30 }, (_none, at) => `@brand_${at}`).join(' ');
    expect(evidenceIn(aPost({ text }), clean)?.named).toHaveLength(20);
  });

  it('stores a quoted handle in lower case without @', () => {
    expect(evidenceIn(aPost({ quoted_handle: '@Orbit' }), clean)?.quoted).toBe('orbit');
    expect(evidenceIn(aPost({ quoted_handle: '' }), clean)).toBeNull();
  });

  it('stores a partner without the creator’s handle', () => {
    expect(evidenceIn(aPost({ text: 'Paid partnership with Demo_Ada' }), clean)?.paid?.project).toBe(
      'Partner not named',
    );
  });
});

describe('the name of a partner', () => {
  it('is cut at 120 characters', () => {
    const text = `Paid partnership with ${'Acme'.repeat(1_000)}`;
    expect(evidenceIn(aPost({ text }), clean)?.paid?.project).toHaveLength(120);
  });
});

describe('the normal form', () => {
  it.each([
    ['@Orbit', 'orbit'],
    ['orbit', 'orbit'],
  ])('of the handle %s is %s', (handle, word) => {
    expect(bare(handle)).toBe(word);
  });

  it.each([
    ['https://www.orbit.example/', 'orbit.example'],
    ['orbit.example/two/', 'orbit.example/two'],
    ['HTTP://Orbit.example', 'orbit.example'],
  ])('of the site %s is %s', (site, word) => {
    expect(siteOf(site)).toBe(word);
  });
});

describe('the evidence after a sync', () => {
  const held = (over: Partial<PostEvidence>): PostEvidence => ({
    id: 'old',
    day: '2026-10-01',
    quoted: null,
    named: ['orbit'],
    links: [],
    paid: null,
    ...over,
  });

  it('is that of its current posts, newest first', () => {
    const posts = [
      aPost({ id: '1', text: '@orbit' }),
      aPost({ id: '2', text: '@nova', created_at: new Date('2026-11-12T00:00:00Z') }),
    ];
    const after = evidenceAfter([held({ id: '1', named: ['gone'] })], posts, clean, () => true);
    expect(after.map(({ id, named }) => [id, named])).toEqual([
      ['2', ['nova']],
      ['1', ['orbit']],
    ]);
  });

  it('keeps evidence of earlier posts that a collaboration rests on', () => {
    const former = [
      held({ id: 'launch' }),
      held({ id: 'nothing', named: ['nobody'] }),
      held({ id: 'paid', named: [], paid: { project: 'Acme', segments: [] } }),
    ];
    const after = evidenceAfter(former, [], clean, ({ named }) => named.includes('orbit'));
    expect(after.map(({ id }) => id)).toEqual(['launch', 'paid']);
  });

  it('drops a post that shows nothing any more', () => {
    expect(evidenceAfter([held({ id: '1' })], [aPost({ id: '1' })], clean, () => true)).toEqual([]);
  });

  it('is cut at 200 posts by dropping the oldest', () => {
    const posts = Array.from({ length: 201 }, (_none, at) =>
      aPost({ id: String(at), text: '@orbit', created_at: new Date(Date.UTC(2026, 0, 1 + at)) }),
    );
    const after = evidenceAfter([], posts, clean, () => false);
    expect(after).toHaveLength(200);
    expect(after.at(-1)?.id).toBe('1');
  });
});
