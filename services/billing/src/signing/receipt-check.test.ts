import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { Receipt, type SignedReceipt } from '@cds/contracts';
import { asksOf } from '@cds/rules';
import { describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, compactVerify, importJWK } from 'jose';
import { canonicalReceipt, publicKeyOf, receiptKeyOf } from '../domain/receipt-key.js';
import { presentReceipt } from '../present/receipt.js';
import { APP_URL, aHold } from '../test/builders.js';
import { LINE } from '../test/fake-planning.js';
import { checkReceipt } from './receipt-check.js';
import { ReceiptIssuer } from './receipt-issuer.js';

const [older, newer] = [receiptKeyOf(Buffer.alloc(32, 1)), receiptKeyOf(Buffer.alloc(32, 2))];
const issuer = new ReceiptIssuer({ 2: older, 10: newer }, APP_URL);
const published = { keys: issuer.keys };

const hold = aHold({
  command_fp: 'r1:x',
  ws: '7b0c7c1e-0000-4000-8000-00000000000a',
  check: {
    request_id: 'req_1',
    at: new Date('2026-11-21T12:00:00Z'),
    asked: asksOf(new Date('2026-11-21T12:00:00Z'), { channels: ['x_creators'], total_cents: 100, spent_cents: 0 }),
  },
});
const evidence = {
  at: '2026-11-21T12:00:00.000Z',
  budget_cents: null,
  lines: [
    {
      line_id: LINE.line_id,
      unit_id: LINE.unit_id,
      scheduled_date: LINE.scheduled_date,
      price_cents: 100,
      current_price_cents: 100,
      on_sale: true,
    },
  ],
};
const aSigned = async (): Promise<SignedReceipt> =>
  presentReceipt(await issuer.signed(hold, { lines: [LINE], evidence }));
const aRefused = async (): Promise<SignedReceipt> =>
  presentReceipt(
    await issuer.refused(
      hold,
      {
        code: 'mandate_refused',
        message: 'm',
        details: { reason: 'channel_not_allowed', channels: ['x_creators'], escalate: true },
      },
      evidence,
    ),
  );

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const headerOf = (jws: string) =>
  JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString()) as Record<string, Json>;
/** A JWS that somebody signed by hand. */
const signedBy = (key: KeyObject, header: unknown, payload: string): string => {
  const text = `${encoded(header)}.${encoded(payload)}`;
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
};
/** The header that a key's owner would write. */
const headerBy = (key: KeyObject) => {
  const { kty, crv, x, kid } = publicKeyOf(key);
  return { alg: 'EdDSA', typ: 'cds-receipt', kid, jwk: { kty, crv, x } };
};

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Another value than a leaf has. */
const other = (leaf: null | boolean | number | string): Json => {
  if (typeof leaf === 'number') return leaf + 1;
  if (typeof leaf === 'boolean') return !leaf;
  return leaf === null || leaf === '' ? 'x' : `${leaf.slice(0, -1)}${leaf.endsWith('0') ? '1' : '0'}`;
};

/** Every value that differs from the given one in one place: a leaf, a field that is gone, or one that was added. */
const mutations = (value: Json, path = ''): [path: string, mutated: Json][] => {
  if (Array.isArray(value)) {
    return [
      ...value.flatMap((inner, index) =>
        mutations(inner, `${path}[${index}]`).map(([at, to]): [string, Json] => [at, value.with(index, to)]),
      ),
      ...value.map((_inner, index): [string, Json] => [`${path} without ${index}`, value.toSpliced(index, 1)]),
      [`${path} with one more`, [...value, 'x']],
    ];
  }
  if (typeof value === 'object' && value !== null) {
    return [
      ...Object.entries(value).flatMap(([name, inner]) => [
        ...mutations(inner, `${path}.${name}`).map(([at, to]): [string, Json] => [at, { ...value, [name]: to }]),
        ...without(value, name, path),
      ]),
      [`${path} with one more`, { ...value, zz: 1 }],
    ];
  }
  return [[path, other(value)]];
};
const without = (value: { [name: string]: Json }, name: string, path: string): [string, Json][] => {
  const { [name]: _gone, ...rest } = value;
  return [[`${path} without ${name}`, rest]];
};

describe('a receipt (docs/domain/orders.md#receipts)', () => {
  it.each([
    ['a signing', aSigned],
    ['a refusal', aRefused],
  ])('of %s is genuine under the published keys, and alone', async (_name, make) => {
    const answer = await make();
    expect(Receipt.parse(answer.receipt)).toEqual(answer.receipt);
    for (const text of [JSON.stringify(answer, null, 2), answer.jws, `\n${answer.jws}\n`])
      for (const keys of [published, null])
        expect(await checkReceipt(text, keys)).toEqual({
          problems: [],
          receipt: answer.receipt,
          key: publicKeyOf(newer).kid,
        });
  });

  it('is signed by the highest version, and every version is published by its thumbprint', async () => {
    expect(headerOf((await aSigned()).jws)).toEqual(headerBy(newer));
    expect(issuer.keys).toEqual([publicKeyOf(newer), publicKeyOf(older)]);
    for (const key of issuer.keys) expect(await calculateJwkThumbprint(key)).toBe(key.kid);
  });

  it('verifies with any library, and its payload is its canonical JSON', async () => {
    const { jws, receipt } = await aSigned();
    const { payload } = await compactVerify(jws, await importJWK(publicKeyOf(newer), 'EdDSA'));
    expect(Buffer.from(payload).toString()).toBe(canonicalReceipt(receipt));
  });
});

describe('a receipt with one thing changed', () => {
  it('is not genuine, whichever field of what is signed it was', async () => {
    for (const make of [aSigned, aRefused]) {
      const { jws, receipt } = await make();
      const [header, , signature] = jws.split('.');
      const every = mutations(JSON.parse(canonicalReceipt(receipt)));
      expect(every.length).toBeGreaterThan(80);
      for (const [path, mutated] of every) {
        const payload = encoded(canonicalReceipt(mutated));
        for (const keys of [published, null]) {
          const { problems } = await checkReceipt(`${header}.${payload}.${signature}`, keys);
          expect({ path, found: problems.includes('The signature does not hold.') }).toEqual({ path, found: true });
        }
      }
    }
  });

  it('is not genuine, whichever field of the header it was', async () => {
    const { jws } = await aSigned();
    const [, payload, signature] = jws.split('.');
    for (const [path, mutated] of mutations(headerOf(jws)))
      for (const keys of [published, null]) {
        const { problems } = await checkReceipt(`${encoded(mutated)}.${payload}.${signature}`, keys);
        expect({ path, genuine: problems.length === 0 }).toEqual({ path, genuine: false });
      }
  });

  it('is not genuine, whichever byte of the signature it was, or how much of it is gone', async () => {
    const { jws } = await aSigned();
    const [header, payload, signature = ''] = jws.split('.');
    const bytes = Buffer.from(signature, 'base64url');
    expect(bytes).toHaveLength(64);
    const spoiled = Array.from(bytes.keys(), (at) => Buffer.from(bytes.with(at, (bytes[at] ?? 0) ^ 1)));
    for (const one of [...spoiled, bytes.subarray(1), bytes.subarray(0, 63), Buffer.alloc(64), Buffer.alloc(0)]) {
      const { problems } = await checkReceipt(`${header}.${payload}.${one.toString('base64url')}`, published);
      expect(problems).toContain('The signature does not hold.');
    }
  });

  it('is not genuine in another spelling of the same bytes', async () => {
    const { jws } = await aSigned();
    const last = jws.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const respelled = `${jws.slice(0, -1)}${alphabet[alphabet.indexOf(last) ^ 1]}`;
    for (const text of [respelled, `${jws}=`, `${jws}.`, jws.replace('.', '..')])
      expect((await checkReceipt(text, published)).problems).not.toEqual([]);
  });

  it.each([
    ['what it says', { receipt: { total_cents: 1 } }],
    ['its id', { id: '7b0c7c1e-0000-4000-8000-000000000001' }],
    ['its kind', { kind: 'refused' }],
    ['its time', { at: '2026-11-21T12:00:00.001Z' }],
  ])('is not genuine when only %s beside the signature differs', async (_name, over) => {
    const answer = await aSigned();
    const changed = { ...answer, ...over, receipt: { ...answer.receipt, ...('receipt' in over ? over.receipt : {}) } };
    expect((await checkReceipt(JSON.stringify(changed), published)).problems).toEqual([
      'The receipt beside the signature is not what is signed.',
    ]);
  });
});

describe('a receipt that somebody else made', () => {
  const theirs = generateKeyPairSync('ed25519').privateKey;

  it('is genuine under its own key only, and names that key', async () => {
    const payload = canonicalReceipt((await aSigned()).receipt);
    const jws = signedBy(theirs, headerBy(theirs), payload);
    expect(await checkReceipt(jws, null)).toMatchObject({ problems: [], key: publicKeyOf(theirs).kid });
    expect((await checkReceipt(jws, published)).problems).toEqual([
      'The receipt was signed with a key that is none of the published keys.',
    ]);
  });

  it.each([
    ['claims the kid of a published key', { kid: publicKeyOf(newer).kid }],
    ['claims a published key and its kid', headerBy(newer)],
    ['names another algorithm', { ...headerBy(newer), alg: 'none' }],
  ])('is not genuine when it %s', async (_name, over) => {
    const jws = signedBy(theirs, { ...headerBy(theirs), ...over }, canonicalReceipt((await aSigned()).receipt));
    for (const keys of [published, null]) expect((await checkReceipt(jws, keys)).problems).not.toEqual([]);
  });
});

describe('what a key of ours signed', () => {
  const receipt = async () => (await aSigned()).receipt;

  it.each([
    ['is not canonical', async () => JSON.stringify(await receipt(), null, 1), 'What is signed is not canonical JSON.'],
    [
      'names a field twice',
      async () => canonicalReceipt(await receipt()).replace('{', '{"at":"2026-11-21T12:00:00.000Z",'),
      'What is signed is not canonical JSON.',
    ],
    ['is no receipt', async () => '{"a":1}', 'What is signed is not a receipt of a known form.'],
    ['is no JSON', async () => 'hello', 'What is signed is not a receipt of a known form.'],
    [
      'is a receipt of another form',
      async () => canonicalReceipt({ ...(await receipt()), v: 2 }),
      'What is signed is not a receipt of a known form.',
    ],
  ])('is no genuine receipt when it %s', async (_name, payload, problem) => {
    const jws = signedBy(newer, headerBy(newer), await payload());
    expect((await checkReceipt(jws, published)).problems).toEqual([problem]);
  });

  it('is no receipt when its header does not say so', async () => {
    const jws = signedBy(newer, { ...headerBy(newer), typ: 'JWT' }, canonicalReceipt(await receipt()));
    expect((await checkReceipt(jws, published)).problems).toEqual(['The header does not say that this is a receipt.']);
  });

  it.each([
    ['an empty file', ''],
    ['a word', 'receipt'],
    ['JSON without a jws', '{"receipt":{}}'],
    ['three dots', '...'],
  ])('is not found in %s', async (_name, text) => {
    for (const keys of [published, null, {}, { keys: 'none' }, { keys: [null, { kid: 1 }] }])
      expect((await checkReceipt(text, keys)).problems).not.toEqual([]);
  });
});
