import { describe, expect, it } from '@jest/globals';
import { JsonElements, MalformedJson } from './json-elements.js';

const read = (text: string, size: number, lists = ['creators', 'includes.users']) => {
  const elements = new JsonElements(new Set(lists));
  const found = [];
  for (let at = 0; at < text.length; at += size) found.push(...elements.push(text.slice(at, at + size)));
  found.push(...elements.end());
  return found.map(({ path, index, json }) => [path, index, JSON.parse(json)]);
};

const DOCUMENT = {
  version: 1,
  as_of: '2026-11-20T00:00:00Z',
  note: 'a "quoted" \\ text with ] and }',
  creators: [{ handle: 'ada', posts: [{ text: '[{"' }] }, { handle: 'ben' }, 7],
  other: { creators: [{ handle: 'not this' }], deep: [[1], { a: null }] },
  includes: { users: [{ id: '1' }], tweets: [{ id: '2' }] },
};

describe.each([1, 2, 7, 1_000])('JSON in chunks of %i', (size) => {
  it.each([undefined, 2])('yields the elements of named lists and the top-level scalars', (indent) => {
    expect(read(JSON.stringify(DOCUMENT, null, indent), size)).toEqual([
      ['version', 0, 1],
      ['as_of', 0, '2026-11-20T00:00:00Z'],
      ['note', 0, DOCUMENT.note],
      ['creators', 0, DOCUMENT.creators[0]],
      ['creators', 1, { handle: 'ben' }],
      ['creators', 2, 7],
      ['includes.users', 0, { id: '1' }],
    ]);
  });

  it('reads consecutive documents and keeps counting', () => {
    const text = '{"creators":[{"a":1}]}\n{"creators":[{"a":2}]}\n';
    expect(read(text, size)).toEqual([
      ['creators', 0, { a: 1 }],
      ['creators', 1, { a: 2 }],
    ]);
  });

  it.each(['{', '[1', '{"a"}}', '{"a":1]', ',', '{"creators":[{"a":"', '{:1}'])('refuses %p', (text) => {
    expect(() => read(text, size)).toThrow(MalformedJson);
  });
});

it('reads 10 MiB quickly', () => {
  const one = JSON.stringify({ handle: 'ada', bio: 'x'.repeat(1_000) });
  const text = `{"creators":[${Array.from({ length: 10_000 }, () => one).join(',')}]}`;
  const before = performance.now();
  expect(read(text, 512 * 1024)).toHaveLength(10_000);
  expect(performance.now() - before).toBeLessThan(4_000);
});
