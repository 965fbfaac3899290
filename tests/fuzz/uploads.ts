import fc from 'fast-check';
import { hostile } from './values.js';

/** Handles of creators that only the fuzzer imports: no brand buys from them. */
const HANDLES = ['fuzz_ada', 'fuzz_bo', 'fuzz_cy', 'FUZZ_ADA', 'not a handle'] as const;
const TIMES = ['2026-11-20T10:00:00Z', '2026-11-21T10:00:00.000Z', '2026-13-01', 'yesterday', '2999-01-01T00:00:00Z'];

const count = fc.oneof({ weight: 4, arbitrary: fc.nat(1_000_000) }, hostile());
const text = fc.oneof({ weight: 4, arbitrary: fc.string({ maxLength: 40, unit: 'grapheme' }) }, hostile());
const time = fc.constantFrom(...TIMES);
const id = fc.oneof({ weight: 4, arbitrary: fc.nat(99_999).map((number) => String(80_000 + number)) }, hostile());

const post = fc.record(
  { id, created_at: time, text, views: count, likes: count, kind: fc.constantFrom('post', 'quote', 'thread', 'poem') },
  { requiredKeys: ['id', 'created_at'] },
);
const unit = fc.record({ format: fc.constantFrom('post', 'quote', 'reel'), ask_cents: count });
const neutral = fc.record(
  {
    network_id: id,
    handle: fc.constantFrom(...HANDLES),
    name: text,
    bio: text,
    followers: count,
    account_created_at: time,
    language: text,
    protected: fc.oneof(fc.boolean(), hostile()),
    posts: fc.oneof({ weight: 6, arbitrary: fc.array(post, { maxLength: 3 }) }, hostile()),
    units: fc.oneof({ weight: 6, arbitrary: fc.array(unit, { maxLength: 2 }) }, hostile()),
  },
  { requiredKeys: ['handle'] },
);

const neutralFile = fc.record({
  version: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, hostile()),
  as_of: time,
  source: fc.oneof({ weight: 6, arbitrary: fc.constant('network') }, hostile()),
  creators: fc.oneof(
    { weight: 6, arbitrary: fc.array(fc.oneof({ weight: 6, arbitrary: neutral }, hostile())) },
    hostile(),
  ),
});

/** Users and posts as X's API v2 answers them. */
const xFile = fc.record(
  {
    data: fc.oneof(
      { weight: 6, arbitrary: fc.array(fc.record({ id, text, created_at: time, author_id: id }), { maxLength: 3 }) },
      hostile(),
    ),
    includes: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          users: fc.array(fc.record({ id, username: fc.constantFrom(...HANDLES), name: text }), { maxLength: 2 }),
        }),
      },
      hostile(),
    ),
    errors: hostile(),
  },
  { requiredKeys: ['data'] },
);

const HEADS = [
  'Post id,Date,Post text,Post Link,Impressions,Likes',
  'Tweet id,Tweet permalink,Tweet text,time,impressions,likes',
  'name,value',
] as const;
const CELLS = ['1730000000000000000', '2026-11-20', '12', '-1', '"a ""quoted"" cell', '', 'x'.repeat(3_000), '\u0000'];
const csv = fc
  .tuple(fc.constantFrom(...HEADS), fc.array(fc.array(fc.constantFrom(...CELLS), { maxLength: 7 }), { maxLength: 4 }))
  .map(([head, rows]) => [head, ...rows.map((cells) => cells.join(','))].join('\n'));

type File = { body: string; type: string };

export const anyFile = (): fc.Arbitrary<File> =>
  fc.oneof(
    { weight: 4, arbitrary: neutralFile.map((file) => ({ body: JSON.stringify(file), type: 'application/json' })) },
    { weight: 2, arbitrary: xFile.map((file) => ({ body: JSON.stringify(file), type: 'application/json' })) },
    { weight: 3, arbitrary: csv.map((body) => ({ body, type: 'text/csv' })) },
  );
