import { AppError, conflict, notFound } from '@cds/contracts';
import { aCreatorProposal, aLinkToken, CREATOR_PROPOSALS } from '@cds/pages/testing';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { OPS_TOKEN } from '../test/edge-app.js';
import { ask, type HttpAnswer } from '../test/http.js';
import { testEdge } from '../test/suite.js';

const TOKEN = aLinkToken();
const OPENED = {
  workspace: '6d1f9c1e-3c57-4a6b-8f0e-9a1f0b2c3d4e',
  sandbox: false,
  proposal_id: '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b',
  creator_id: '5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b2c1d',
  line_id: '7c6b5a4d-1e0f-4a9b-8c7d-6e5f4a3b2c1d',
  attempt: 2,
  undelivered: false,
  now: '2026-11-22T09:00:00.000Z',
};
const TITLES: Readonly<Record<string, string>> = {
  open: 'Please answer by 23 Nov 2026, 14:03:00 UTC',
  sandbox: 'This is a test proposal.',
  bare: 'A paid post for you',
  accepted: 'You accepted. Please book a day',
  booked: 'Your post is booked for 5 December 2026',
  live: 'Your post is live',
  awaited: 'Your post is booked for 5 December 2026',
  missing: 'Your post is missing',
  'live-unread': 'Nobody has read its figures yet.',
  undisclosed: 'by 7 Dec 2026, 10:00:00 UTC. Our team looks at it again.',
  blocked: 'Your post lacks its disclosure',
  gone: 'Your post is gone',
  ended: 'This place has ended without your post',
  completed: 'Your post is complete',
  paid: 'our team has sent your pay',
  declined: 'You declined this proposal',
  expired: 'You can still accept as long as nobody else has the place.',
  'expired-for-good': 'The time to answer is over',
  replaced: 'This place has been given to someone else',
  closed: 'This proposal is closed',
};

/** docs/domain/pages.md#creator-links, docs/domain/pages.md#forms-of-pages. */
describe("a creator's link", () => {
  const edge = testEdge('gateway_creator');
  beforeEach(() => {
    edge.sent.length = 0;
    edge.answer('creator_link', (_ctx, { token }) => {
      if (token !== TOKEN) throw notFound('link');
      return OPENED;
    });
    edge.answer('creator_proposal', () => aCreatorProposal());
    edge.answer('creator_accept', () => aCreatorProposal({ state: 'accepted' }));
    edge.answer('creator_decline', () => aCreatorProposal({ state: 'declined' }));
  });

  const get = (token = TOKEN) => ask(edge.url, `/creator/${token}`);
  const api = (path: string, token: string | null, body?: object): Promise<HttpAnswer> =>
    ask(edge.url, `/api/creator/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined ? {} : { raw: JSON.stringify(body) }),
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
    });
  const post = (act: string, fields: Record<string, string>, headers = {}): Promise<HttpAnswer> =>
    ask(edge.url, `/creator/${TOKEN}/${act}`, {
      method: 'POST',
      raw: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  /** Sends a form of the page as a browser does. */
  const send = async (act: string, fields: Record<string, string>, headers = {}): Promise<HttpAnswer> => {
    const { text } = await get();
    const form = new RegExp(`action="/creator/[^"]*/${act}"[\\s\\S]*?name="form_token" value="([^"]+)"`).exec(text);
    return post(act, { form_token: form?.[1] ?? '', ...fields }, headers);
  };
  const sentTo = (name: string) => edge.sent.findLast((call) => call.name === name);

  describe('on its page', () => {
    test.each(Object.entries(CREATOR_PROPOSALS))('says in which state a proposal is: %s', async (state, over) => {
      edge.answer('creator_proposal', () => aCreatorProposal(over));
      const { status, text } = await get();
      expect(status).toBe(200);
      expect(text).toContain(TITLES[state]);
      const forms = [...text.matchAll(/action="\/creator\/[^"]*\/(\w+)"/g)].map(([, act]) => act);
      const { may, proposals } = aCreatorProposal(over);
      const switches = { open: ['pause'], paused: ['resume'], closed: [] };
      expect(forms).toEqual([...may, ...switches[proposals]]);
    });

    test('shows what is asked, by whom, for how much and until when', async () => {
      const { text } = await get();
      for (const words of [
        'Acme Robotics',
        '$450',
        'One post, with',
        '5 December 2026',
        '1 December 2026 to 20 December',
      ])
        expect(text).toContain(words);
      expect(text).not.toContain('Key messages');
      edge.answer('creator_proposal', () => aCreatorProposal(CREATOR_PROPOSALS['accepted']));
      expect((await get()).text).toContain('One tank lasts two weeks.');
    });

    test('is not indexed, not cached, sends no referrer and runs no script', async () => {
      const { headers } = await get();
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-robots-tag')).toContain('noindex');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).not.toContain('script-src');
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('ratelimit-limit')).toBe('120');
    });

    test.each([
      ['of another form', 'nobody'],
      ['that was never made', aLinkToken('b')],
    ])('is not found with a token %s', async (_name, token) => {
      const { status, text } = await get(token);
      expect([status, text.includes('Not found')]).toEqual([404, true]);
    });

    test('accepts with a day, without scripts and without a cookie, and comes back to the page', async () => {
      const { status, headers } = await send('accept', { date: '2026-12-05' });
      expect([status, headers.get('location')]).toEqual([303, `/creator/${TOKEN}`]);
      const call = sentTo('creator_accept');
      expect(call?.input).toEqual({ date: '2026-12-05' });
      expect(call?.ctx.principal).toMatchObject({
        audience: 'creator',
        workspace: OPENED.workspace,
        creator: { id: OPENED.creator_id, proposal: OPENED.proposal_id, line: OPENED.line_id, attempt: 2 },
      });
      expect(call?.ctx.now.toISOString()).toBe(OPENED.now);
      expect(call?.ctx.command).not.toBeNull();
    });

    test('sends the post, and shows at each field what is wrong with it', async () => {
      edge.answer('creator_proposal', () => aCreatorProposal(CREATOR_PROPOSALS['awaited']));
      edge.answer('creator_post', (_ctx, { url }) => {
        if (url === 'mine')
          throw new AppError('unprocessable', 'm', { problems: [{ field: 'url', message: 'must be the address' }] });
        return {};
      });
      const wrong = await send('post', { url: 'mine', disclosure: '#ad' });
      expect([wrong.status, wrong.text.includes('Must be the address.')]).toEqual([422, true]);
      expect(wrong.text).toMatch(/value="#ad" checked/);
      const url = 'https://x.com/demo_ada/status/1730000000000000000';
      expect((await send('post', { url: ` ${url} `, disclosure: '' })).status).toBe(303);
      expect(sentTo('creator_post')?.input).toEqual({ url });
    });

    test('shows the post with its readings, and sends figures as people type them', async () => {
      edge.answer('creator_proposal', () => aCreatorProposal(CREATOR_PROPOSALS['live']));
      edge.answer('creator_analytics', () => ({}));
      const { text } = await get();
      for (const words of [
        'href="https://x.com/demo_ada/status/1730000000000000000"',
        '24,010 views, 212 likes, 31 replies, 12 reposts and quotes, 77 link clicks<br>',
        '7 Dec 2026, 09:30:00 UTC, your own figures',
        '6 Dec 2026, 14:00:00 UTC',
      ])
        expect(text).toContain(words);
      expect((await send('analytics', { views: '24,010', likes: '', clicks: '80' })).status).toBe(303);
      expect(sentTo('creator_analytics')?.input).toEqual({ views: 24_010, clicks: 80 });
      const refused = await send('analytics', { views: 'many' });
      expect([refused.status, refused.text.includes('id="views-error"')]).toEqual([422, true]);
    });

    test('stops and reopens new proposals', async () => {
      edge.answer('creator_pause', () => ({ proposals: 'paused' }));
      expect((await send('pause', {})).status).toBe(303);
      expect(sentTo('creator_pause')?.ctx.principal.creator?.id).toBe(OPENED.creator_id);
      edge.answer('creator_pause', () => {
        throw conflict('closed', 'Our team has closed new proposals to you.');
      });
      const refused = await send('pause', {});
      expect([refused.status, refused.text.includes('Our team has closed new proposals')]).toEqual([409, true]);
    });

    test('leaves out what was left empty', async () => {
      await send('accept', { date: '' });
      expect(sentTo('creator_accept')?.input).toEqual({});
      await send('decline', { reason: 'price', note: '' });
      expect(sentTo('creator_decline')?.input).toEqual({ reason: 'price' });
    });

    test('says at the field what is wrong, and keeps what was typed', async () => {
      const wrong = await send('accept', { date: '31.12.2026' });
      expect(wrong.status).toBe(422);
      expect(wrong.text).toContain('Day to post: Must be a real date, YYYY-MM-DD.');
      edge.answer('creator_accept', () => {
        throw conflict('bad_dates', 'The day must be within the launch window.');
      });
      const late = await send('accept', { date: '2026-12-21' });
      expect([late.status, late.text.includes('The day must be within the launch window.')]).toEqual([409, true]);
      expect(late.text).toContain('value="2026-12-21"');
    });

    test('tells who lost a place, and shows the page as it is now', async () => {
      edge.answer('creator_accept', () => {
        edge.answer('creator_proposal', () => aCreatorProposal(CREATOR_PROPOSALS['replaced']));
        throw conflict('replaced', 'This place has been given to someone else.');
      });
      const { status, text } = await send('accept', {});
      expect([status, text.includes(`/creator/${TOKEN}/accept`)]).toEqual([409, false]);
      expect(text).toContain('This place has been given to someone else.');
    });

    test("takes only a form's own token, from our own page", async () => {
      expect((await post('accept', { form_token: 'made-up' })).status).toBe(403);
      const { text } = await get();
      const [decline] = [...text.matchAll(/\/decline"[\s\S]*?name="form_token" value="([^"]+)"/g)].map(
        ([, one]) => one,
      );
      expect((await post('accept', { form_token: decline ?? '' })).status).toBe(403);
      expect((await send('accept', {}, { origin: 'https://evil.example' })).status).toBe(403);
      expect(sentTo('creator_accept')).toBeUndefined();
    });

    test('has the proposal count as delivered when it is opened first', async () => {
      edge.answer('creator_link', () => ({ ...OPENED, undelivered: true }));
      await get();
      expect(sentTo('creator_link_opened')?.input).toEqual({ proposal_id: OPENED.proposal_id });
      edge.answer('creator_link', () => OPENED);
      edge.sent.length = 0;
      await get();
      expect(sentTo('creator_link_opened')).toBeUndefined();
    });
  });

  describe('on the API', () => {
    test('is a bearer token, counted by client address', async () => {
      const { status, json, headers } = await api('proposal', TOKEN);
      expect([status, json]).toEqual([200, aCreatorProposal()]);
      expect([headers.get('ratelimit-limit'), headers.get('cache-control')]).toEqual(['120', 'no-store']);
      expect((await api('accept', TOKEN, { date: '2026-12-05' })).status).toBe(200);
      expect(sentTo('creator_accept')).toMatchObject({ input: { date: '2026-12-05' }, ctx: { command: null } });
    });

    test.each([
      ['no token', null],
      ['one that was never made or that a newer one replaced', aLinkToken('b', 2)],
      ["an operator's", OPS_TOKEN],
      ['one of another form', 'cdl_1_2_3'],
    ])('answers 401 to %s, without rate headers', async (_name, token) => {
      const { status, headers } = await api('proposal', token);
      expect([status, headers.get('www-authenticate'), headers.get('ratelimit-limit')]).toEqual([401, 'Bearer', null]);
    });

    test('takes an analytics export as it is', async () => {
      edge.answer('creator_analytics', () => ({}));
      const raw = `\uFEFFPost id,"Post text"\r\n1,"a\tb\nc"\r\n${'2,x\r\n'.repeat(20_000)}`;
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'text/csv' };
      const { status } = await ask(edge.url, '/api/creator/analytics', { method: 'POST', raw, headers });
      expect([status, sentTo('creator_analytics')?.input]).toEqual([200, { csv: raw.trim() }]);
    });

    test('opens nothing else: the token is unknown to brands and operators', async () => {
      for (const path of ['/api/v1/campaigns', '/api/ops/proposals', '/api/brand/me'])
        expect((await ask(edge.url, path, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(401);
    });

    test('refuses fields and reasons that it does not take', async () => {
      expect((await api('decline', TOKEN, { reason: 'mood' })).status).toBe(422);
      expect((await api('accept', TOKEN, { price: 1 })).status).toBe(400);
    });

    test('is 503, not 401, while proposals is away', async () => {
      edge.answer('creator_link', () => {
        throw new AppError('unavailable', 'away');
      });
      expect((await api('proposal', TOKEN)).status).toBe(503);
    });
  });
});
