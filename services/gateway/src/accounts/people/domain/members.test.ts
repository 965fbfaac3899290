import { AppError, type BrandRole } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { memberToChange } from './members.js';

const A = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1a';
const B = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';
const joined = new Date(0);
const member = (id: string, role: BrandRole, joined_at: Date | null = joined) => ({ _id: id, role, joined_at });

const outcome = (run: () => { _id: string }): string => {
  try {
    return run()._id;
  } catch (error) {
    if (error instanceof AppError) return String(error.details?.['reason'] ?? error.code);
    throw error;
  }
};

describe('one owner always stays (docs/domain/sign-in.md#members)', () => {
  test.each([
    ['the only owner cannot step down', [member(A, 'owner'), member(B, 'admin')], 'admin', 'last_owner'],
    ['the only owner cannot leave', [member(A, 'owner')], null, 'last_owner'],
    ['an invited owner does not count', [member(A, 'owner'), member(B, 'owner', null)], 'viewer', 'last_owner'],
    ['one of two owners may step down', [member(A, 'owner'), member(B, 'owner')], 'viewer', A],
    ['one of two owners may leave', [member(A, 'owner'), member(B, 'owner')], null, A],
    ['the only owner may stay one', [member(A, 'owner')], 'owner', A],
    ['an admin may leave', [member(A, 'admin'), member(B, 'owner')], null, A],
    ['an unknown member is not found', [member(B, 'owner')], null, 'not_found'],
  ] as const)('%s', (_name, all, next, expected) => {
    expect(outcome(() => memberToChange(all, A.toUpperCase(), next))).toBe(expected);
  });
});
