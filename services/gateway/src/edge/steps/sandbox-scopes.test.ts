import { hasEndpoint, type OperationName, operations, pathOf, READ_SCOPES, SCOPES, type Scope } from '@cds/contracts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand, publicIdOf } from '../../test/edge-app.js';
import { ask, freshKey, type HttpAnswer } from '../../test/http.js';
import { testEdge } from '../../test/suite.js';

const ID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';

/** What each operation of a sandbox takes (docs/domain/sandbox.md#sandbox). */
const TAKES: Partial<Record<OperationName, Scope | 'any'>> = {
  sandbox_clock: 'any',
  sandbox_faults: 'any',
  sandbox_order_payment: 'plans:approve',
  sandbox_clock_advance: 'campaigns:write',
  sandbox_clock_jump: 'campaigns:write',
  sandbox_fault_arm: 'campaigns:write',
  sandbox_faults_clear: 'campaigns:write',
  sandbox_line_answer: 'campaigns:write',
  sandbox_line_post: 'campaigns:write',
  sandbox_line_post_change: 'campaigns:write',
  sandbox_reset: 'campaigns:write',
  sandbox_unit_set: 'campaigns:write',
  sandbox_unit_clear: 'campaigns:write',
};

const SANDBOX = operations.filter(hasEndpoint).filter(({ audience }) => audience === 'sandbox');

describe('the scopes of a sandbox', () => {
  const edge = testEdge('gateway_sandbox_scopes');
  let brand: Brand;

  beforeAll(async () => {
    brand = await makeBrand(edge);
  });

  const secret = (): string => brand.sandbox['full'] ?? '';
  const sent = async (operation: (typeof SANDBOX)[number], scopes: readonly Scope[]): Promise<HttpAnswer> => {
    await edge.changeKeys({ _id: publicIdOf(secret()) }, { scopes: [...scopes] });
    return ask(edge.url, pathOf(operation).replace(/\{\w+\}/g, ID), {
      method: operation.rest.method,
      key: secret(),
      headers: { 'idempotency-key': freshKey() },
    });
  };

  test('every operation of a sandbox says its scope', () => {
    expect(Object.fromEntries(SANDBOX.map(({ name, scope }) => [name, scope]))).toEqual(TAKES);
  });

  test.each(SANDBOX.map((operation) => [operation.name, operation] as const))(
    '%s is refused without its scope, whatever else the key has, and with a challenge',
    async (name, operation) => {
      const takes = TAKES[name as OperationName];
      const without = SCOPES.filter((scope) => scope !== takes);
      const challenge = takes === 'any' ? null : `Bearer error="insufficient_scope", scope="${takes}"`;
      for (const scopes of [without, READ_SCOPES]) {
        const answer = await sent(operation, scopes);
        expect([answer.status === 403, answer.headers.get('www-authenticate')]).toEqual([takes !== 'any', challenge]);
      }
    },
  );
});
