import { describe, expect, test } from '@jest/globals';
import { readSource } from './library.js';
import { type ApiDocument, operationDocuments, operationPath } from './reference.js';

type DeclaredIn = { operationId: string; 'x-limits': { name: string; limit: number | null; per_creator?: number }[] };

const api = JSON.parse(await readSource('libs/contracts/generated/openapi.json')) as ApiDocument;
const documents = new Map(operationDocuments(api).map((document) => [document.path, document.markdown]));

/** The limits of an operation's page: the words of each, and where its link leads. */
const limitsOn = (name: string): [words: string, to: string][] => {
  const [, line = ''] = /^- Limits: (.+)$/m.exec(documents.get(operationPath(name)) ?? '') ?? [];
  return [...line.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, words = '', to = '']) => [words, to]);
};

const LIMITED = '/docs/errors/rate_limited';
const REFUSED = '/docs/errors/mandate_refused';
const FAMILY = 'for a key, and for the key that made it';
const READERS = 'for a key, for the key that made it, for a session, and for all keys of a brand';
const MINUTE = [`60 requests a minute ${FAMILY}`, `${LIMITED}/request_rate`];
const WRITES = [`400 writes a UTC day ${FAMILY}`, `${LIMITED}/daily_writes`];
const READS = [`20 reads a minute ${READERS}`, `${LIMITED}/per_minute`];
const OPENED = [`60 creators a UTC day ${READERS}`, `${LIMITED}/daily_reveals`];
const QUICKLY = [`40 creators in ten minutes ${READERS}`, `${LIMITED}/locked`];
const SEEN = ['300 creators a UTC day for a workspace', `${LIMITED}/daily_seen`];
const STARTED = ['3 campaigns in any 24 hours for all keys of a brand', `${LIMITED}/daily_campaign_limit`];
const TOTAL = ['the largest plan total in the mandate of a key', `${REFUSED}/over_max_plan_total`];

describe('the limits on the page of an operation (docs/specification.md#limits)', () => {
  test.each([
    ['inventory', [MINUTE]],
    ['creators_search', [MINUTE, READS, QUICKLY, [`60 searches a UTC day ${READERS}`, `${LIMITED}/daily_lists`], SEEN]],
    ['creator_get', [MINUTE, READS, QUICKLY, OPENED, SEEN]],
    [
      'creator_ask_price',
      [
        MINUTE,
        WRITES,
        QUICKLY,
        OPENED,
        SEEN,
        [
          '20 price requests in any 24 hours for a workspace, at most 3 of them for one creator',
          `${LIMITED}/daily_limit`,
        ],
      ],
    ],
    ['create_campaign', [MINUTE, WRITES, STARTED]],
    ['plan_add_creator', [MINUTE, WRITES, STARTED, TOTAL]],
    [
      'approve_plan',
      [
        MINUTE,
        WRITES,
        TOTAL,
        ['the monthly cap in the mandate of a key, and of the key that made it', `${REFUSED}/over_monthly_cap`],
      ],
    ],
    ['key_delegate', [MINUTE, WRITES, ['200 keys in any 24 hours for a key', `${LIMITED}/child_key_limit`]]],
    ['events_stream', [MINUTE, ['4 streams at once for a key, and for a session', `${LIMITED}/stream_limit`]]],
    ['network_facts', [['120 requests a minute for a client address', `${LIMITED}/request_rate`]]],
  ])('%s', (name, limits) => {
    expect(limitsOn(name)).toEqual(limits);
  });

  test('are those that the API document declares, with their numbers, for every operation', () => {
    for (const declared of Object.values(api.paths).flatMap((methods) => Object.values(methods)))
      expect([
        declared.operationId,
        limitsOn(declared.operationId).map(([words, to]) => ({
          name: to.slice(to.lastIndexOf('/') + 1),
          numbers: [...words.matchAll(/(?:^|at most )(\d+)/g)].map(([, number]) => Number(number)),
          unsaid: words.includes('undefined'),
        })),
      ]).toEqual([
        declared.operationId,
        (declared as unknown as DeclaredIn)['x-limits'].map(({ name, limit, per_creator }) => ({
          name,
          numbers: [limit, per_creator].filter((number) => typeof number === 'number'),
          unsaid: false,
        })),
      ]);
  });
});
