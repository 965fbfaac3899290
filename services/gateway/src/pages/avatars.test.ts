import { beforeAll, describe, expect, test } from '@jest/globals';
import { testEdge } from '../test/suite.js';

const NAME = `${'0123456789abcdef'.repeat(2)}.png`;
const BYTES = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 254]);

describe('a creator’s avatar (docs/domain/network.md#pictures)', () => {
  const edge = testEdge('gateway_avatars');
  beforeAll(async () => {
    edge.answer('avatar_read', (_ctx, { name }) => ({ data: name === NAME ? BYTES.toString('base64') : null }));
  });

  const get = (path: string, method = 'GET') => fetch(`${edge.url}${path}`, { method });

  test('is served unchanged to anybody, and may be cached for a day', async () => {
    const response = await get(`/avatars/${NAME}`);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(BYTES);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(BYTES.length),
      'cache-control': 'public, max-age=86400, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'ratelimit-limit': '1200',
    });
  });

  test.each([
    ['another name', `/avatars/${'0'.repeat(32)}.png`],
    ['another file type', `/avatars/${'0'.repeat(32)}.svg`],
    ['the name of a property', `/avatars/${'0'.repeat(32)}.constructor`],
    ['a handle', '/avatars/quill_one'],
    ['a path traversal', '/avatars/..%2f..%2fetc%2fpasswd'],
  ])('is not found under %s, and that answer may not be cached', async (_name, path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
  });

  test('calls catalog only for well-formed names', async () => {
    edge.sent.length = 0;
    await get('/avatars/quill_one.png');
    expect(edge.sent.filter(({ name }) => name === 'avatar_read')).toEqual([]);
  });

  test('does not count against the pages of the same address', async () => {
    const left = async (path: string) => Number((await get(path)).headers.get('ratelimit-remaining'));
    const before = await left('/');
    for (const _one of Array.from({ length: 130 })) expect((await get(`/avatars/${NAME}`)).status).toBe(200);
    expect(await left('/')).toBeGreaterThanOrEqual(before - 1);
    expect((await get('/')).status).toBe(200);
  });

  test('takes only GET', async () => {
    const response = await get(`/avatars/${NAME}`, 'POST');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  });
});
