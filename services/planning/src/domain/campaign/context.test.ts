import { describe, expect, it } from '@jest/globals';
import { type ContextVersion, EMPTY_CONTEXT, inForce } from './context.js';

const version = (number: number, confirmed: boolean): ContextVersion => ({
  version: number,
  name: `v${number}`,
  summary: null,
  audience: null,
  created_at: new Date(0),
  confirmed_at: confirmed ? new Date(number) : null,
  read: null,
});

describe('the context in force (docs/domain/plans.md#company-context)', () => {
  it.each([
    ['is the empty one before any version', [], 0],
    ['is the newest while none is confirmed', [version(1, false), version(2, false)], 2],
    ['is the newest confirmed one', [version(1, true), version(2, true), version(3, false)], 2],
  ])('%s', (_name, versions, expected) => {
    expect(inForce(versions).version).toBe(expected);
  });

  it('starts unconfirmed and empty', () => {
    expect(inForce([])).toEqual(EMPTY_CONTEXT);
  });
});
