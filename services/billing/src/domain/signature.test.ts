import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isSigned, signRaw } from './signature.js';

const raw = Buffer.from('{"id":"evt_1"}');
const at = new Date('2026-11-21T12:00:00.000Z');
const after = (ms: number) => new Date(at.getTime() + ms);
const header = signRaw('secret', raw, at);

/** A header whose time is written otherwise than rails do, and signed so. */
const signedAt = (before: string, behind = ''): string => {
  const seconds = `${before}${at.getTime() / 1_000}${behind}`;
  const mac = createHmac('sha256', 'secret').update(`${seconds}.`).update(raw).digest('hex');
  return `t=${seconds},v1=${mac}`;
};

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
    ['300 s too early', ['secret'], raw, header, after(-300_000), true],
    ['spaces after a comma', ['secret'], raw, header.replace(',', ', '), at, true],
    ['the time after the signature', ['secret'], raw, header.split(',').reverse().join(','), at, true],
    ['the time under another name', ['secret'], raw, header.replace('t=', 's='), at, false],
    ['the signature under another name', ['secret'], raw, header.replace('v1=', 'v0='), at, false],
    ['no signature', ['secret'], raw, header.slice(0, header.indexOf(',')), at, false],
    ['a signature without a value', ['secret'], raw, `${header.slice(0, header.indexOf(','))},v1`, at, false],
    ['a sign before a time that was signed with it', ['secret'], raw, signedAt('+'), at, false],
    ['a fraction after a time that was signed with it', ['secret'], raw, signedAt('', '.5'), at, false],
    ['a signature cut short', ['secret'], raw, header.slice(0, -2), at, false],
  ])('%s', (_name, secrets, bytes, sent, now, signed) => {
    expect(isSigned(secrets, bytes, sent, now)).toBe(signed);
  });
});
