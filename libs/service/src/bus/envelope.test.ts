import { createSecretKey, randomBytes } from 'node:crypto';
import { AppError, type ServiceName } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { aCtx } from '../testing/context.js';
import { toWire } from './context.js';
import { decodeRequest, encodeRequest, type PairKeys } from './envelope.js';

/** What a signature covers, and what happens to a frame that is altered or sent elsewhere (ADR 0008). */
const SUBJECT = 'cds.planning.plan_sign';
const key = createSecretKey(randomBytes(32));
const from: PairKeys = new Map([
  ['billing', key],
  ['gateway', createSecretKey(randomBytes(32))],
]);

const wire = toWire(aCtx(), 'billing', 'planning', 'f.1', 5_000);
const INPUT = { id: 'a\nb', note: 'zwölf €', n: 1 };
const frame = (): Buffer => Buffer.from(encodeRequest(SUBJECT, wire, INPUT, key));
const open = (data: Uint8Array, subject = SUBJECT, me: ServiceName = 'planning', keys = from) =>
  decodeRequest(subject, data, me, keys);
const codeOf = (run: () => unknown): string => {
  try {
    run();
    return 'opened';
  } catch (error) {
    return error instanceof AppError ? error.code : `bug: ${String(error)}`;
  }
};
/** The frame with another context or input under the original signature. */
const resigned = (context: object, input: object): Buffer =>
  Buffer.concat([frame().subarray(0, 44), Buffer.from(`${JSON.stringify(context)}\n${JSON.stringify(input)}`)]);

describe('a signed frame', () => {
  it('is decoded by its recipient on its subject, with context and input as sent', () => {
    expect(open(frame())).toEqual({ context: JSON.parse(JSON.stringify(wire)), input: INPUT });
    expect(open(resigned(wire, INPUT)).input).toEqual(INPUT);
  });

  it.each<[string, () => unknown]>([
    ['another operation', () => open(frame(), 'cds.planning.plan_sign_close')],
    ['another service', () => open(frame(), SUBJECT, 'catalog')],
    ['another service that has the same key', () => open(frame(), SUBJECT, 'catalog', new Map([['billing', key]]))],
    ['an issuer without a key here', () => open(frame(), SUBJECT, 'planning', new Map())],
    ['another input', () => open(resigned(wire, { ...INPUT, n: 2 }))],
    ['a later deadline', () => open(resigned({ ...wire, deadline: wire.deadline + 1 }, INPUT))],
    ['more time', () => open(resigned({ ...wire, remaining_ms: wire.remaining_ms + 1 }, INPUT))],
    [
      'another principal',
      () =>
        open(resigned({ ...wire, principal: { ...wire.principal, workspace: randomBytes(8).toString('hex') } }, INPUT)),
    ],
    ['another frame id', () => open(resigned({ ...wire, frame_id: 'f.2' }, INPUT))],
    ['another issuer', () => open(resigned({ ...wire, iss: 'gateway' }, INPUT))],
    ['an issuer that is not a service', () => open(resigned({ ...wire, iss: '__proto__' }, INPUT))],
    ['a context that is null', () => open(Buffer.concat([frame().subarray(0, 44), Buffer.from('null\n{}')]))],
    ['a context that is not JSON', () => open(Buffer.concat([frame().subarray(0, 44), Buffer.from('{\n{}')]))],
    ['nothing', () => open(new Uint8Array(0))],
    ['a signature alone', () => open(frame().subarray(0, 44))],
    ['no signature', () => open(frame().subarray(44))],
  ])('is refused for %s', (_what, run) => {
    expect(codeOf(run)).toBe('forbidden');
  });

  it('is refused if any one byte is changed', () => {
    const whole = frame();
    for (let at = 0; at < whole.length; at += 1) {
      const bent = Buffer.from(whole);
      bent[at] = (bent[at] ?? 0) ^ 1;
      expect([at, codeOf(() => open(bent))]).toEqual([at, 'forbidden']);
    }
  });

  it('is refused if context and input are split at another line', () => {
    const text = JSON.stringify(wire);
    const split = `${text.slice(0, 20)}\n${text.slice(20)}\n${JSON.stringify(INPUT)}`;
    expect(codeOf(() => open(Buffer.concat([frame().subarray(0, 44), Buffer.from(split)])))).toBe('forbidden');
  });
});
