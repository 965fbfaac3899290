import { describe, expect, it } from '@jest/globals';
import { isSigned, signRaw } from './signature.js';

const raw = Buffer.from('{"id":"evt_1"}');
const at = new Date('2026-11-21T12:00:00.000Z');
const after = (ms: number) => new Date(at.getTime() + ms);
const header = signRaw('secret', raw, at);

describe("a rail's signature is over the raw bytes and near database time (I22)", () => {
  it.each([
    ['the right secret, at once', ['secret'], raw, header, at, true],
    ['one of two active secrets', ['new', 'secret'], raw, header, at, true],
    ['300 s later', ['secret'], raw, header, after(300_000), true],
    ['300.001 s later', ['secret'], raw, header, after(300_001), false],
    ['300.001 s too early', ['secret'], raw, header, after(-300_001), false],
    ['another secret', ['other'], raw, header, at, false],
    ['one byte more', ['secret'], Buffer.from('{"id":"evt_1"} '), header, at, false],
    ['no header', ['secret'], raw, null, at, false],
    ['an empty header', ['secret'], raw, '', at, false],
    ['a time that is not a number', ['secret'], raw, header.replace(/t=\d+/, 't=now'), at, false],
    [
      'another time than the one signed',
      ['secret'],
      raw,
      header.replace(/t=\d+/, (t) => `t=${Number(t.slice(2)) + 1}`),
      at,
      false,
    ],
    ['a second signature beside a wrong one', ['secret'], raw, header.replace('v1=', 'v1=00,v1='), at, true],
    ['a signature cut short', ['secret'], raw, header.slice(0, -2), at, false],
  ])('%s', (_name, secrets, bytes, sent, now, signed) => {
    expect(isSigned(secrets, bytes, sent, now)).toBe(signed);
  });
});
