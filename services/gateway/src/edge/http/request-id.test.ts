import { proves } from '@cds/service/testing';
import { describe, expect, test } from '@jest/globals';
import { requestIdOf } from './request-id.js';
import { traceOf } from './trace.js';

describe('x-request-id (I50)', () => {
  test.each(['abcdefgh', 'A.b_c:d-1', 'x'.repeat(128)])('a valid value is echoed: %s', (id) => {
    proves('general.request-id-echoed');
    expect(requestIdOf([id])).toBe(id);
  });

  test.each([
    [[]],
    [['short']],
    [['x'.repeat(129)]],
    [['with space!']],
    [['é'.repeat(10)]],
    [['abcdefgh', 'abcdefgh']],
  ])('anything else is replaced and never echoed: %j', (sent) => {
    expect(requestIdOf(sent)).toMatch(/^req_[0-9A-Za-z]{26}$/);
  });
});

describe('traceparent', () => {
  const valid = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  test('a valid one is continued', () => {
    expect(traceOf([valid])).toEqual({
      traceparent: valid,
      traceId: '0af7651916cd43dd8448eb211c80319c',
      received: true,
    });
  });

  test.each([[[]], [['00-0-0-00']], [[valid, valid]], [[valid.replace(/[1-9a-f]/g, '0')]]])(
    'otherwise a new one starts: %j',
    (sent) => {
      expect(traceOf(sent).traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    },
  );
});
