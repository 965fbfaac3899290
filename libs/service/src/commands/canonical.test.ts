import { describe, expect, it } from '@jest/globals';
import { commandId, requestFingerprint } from './canonical.js';

describe('the identity of a write', () => {
  it('depends on the API key: the same Idempotency-Key under another key is another command', () => {
    expect(commandId('key-1', 'abcdefgh')).not.toBe(commandId('key-2', 'abcdefgh'));
  });

  it('has one fingerprint for the same arguments in any order, and another for another operation', () => {
    expect(requestFingerprint('plan_add_creator', { id: '1', unit_id: '2' })).toBe(
      requestFingerprint('plan_add_creator', { unit_id: '2', id: '1' }),
    );
    expect(requestFingerprint('plan_add_creator', { id: '1' })).not.toBe(
      requestFingerprint('plan_remove_creator', { id: '1' }),
    );
  });
});
