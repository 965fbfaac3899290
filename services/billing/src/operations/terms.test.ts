import type { BrandTerms } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import { aCommand, anApproval, answerOf, aSystemCtx, codeOf } from '../test/builders.js';
import { testBilling } from '../test/suite.js';

describe('the brand terms of operators (docs/domain/orders.md#brand-terms)', () => {
  const billing = testBilling('ops_terms');

  const asLead = async (): Promise<Ctx> => {
    const ctx = await aSystemCtx(billing, '');
    const operator = { id: 'op', name: 'Lead', role: 'lead' as const };
    return { ...ctx, command: aCommand('op'), principal: { ...ctx.principal, audience: 'operator', operator } };
  };
  const publish = async (version: string, number: number) =>
    billing.run('ops_terms_publish', await asLead(), { version, number, text: `Terms ${number}`, reason: 'a test' });
  const list = async (query: object = {}) =>
    answerOf<{ items: BrandTerms[]; next: string | null }>(
      await billing.run('ops_terms_list', await asLead(), { ...query }),
    );
  /** The terms in force as an approval judges its mandate by them (`services/planning/src/domain/approval`). */
  const inForceForApproval = async (): Promise<string | undefined> => {
    const plan = billing.planning.plan(500);
    const ctx = await anApproval(billing);
    await billing.approve(ctx, plan);
    return billing.planning.termsAsked.at(-1)?.current_terms?.version;
  };

  it('are what the next approval is judged by, from the answer of a new version on', async () => {
    expect(await inForceForApproval()).toBe('2026-11-01');
    expect(answerOf(await publish('2026-12-01', 2))).toMatchObject({ version: '2026-12-01', number: 2, current: true });
    expect(await inForceForApproval()).toBe('2026-12-01');
  });

  it('are listed from the newest on, without their texts', async () => {
    const { items, next } = await list();
    expect(items.map(({ version, current }) => [version, current])).toEqual([
      ['2026-12-01', true],
      ['2026-11-01', false],
    ]);
    expect([next, JSON.stringify(items)]).toEqual([null, expect.not.stringContaining('Terms')]);
    const first = await list({ limit: 1 });
    expect((await list({ cursor: first.next ?? '' })).items).toEqual(items.slice(1));
    expect(await codeOf(billing.run('ops_terms_list', await asLead(), { cursor: 'elsewhere' }))).toBe('bad_request');
  });

  it.each([
    ['a version that exists', '2026-12-01', 3, 'conflict version_exists'],
    ['a number that exists', '2026-12-02', 2, 'conflict version_exists'],
    ['a number below the current one', '2026-12-02', 1, 'unprocessable'],
  ])('are refused with %s', async (_name, version, number, code) => {
    expect(await codeOf(publish(version, number))).toBe(code);
  });

  it('are published once, whoever is first, and audited with actor and reason', async () => {
    const both = await Promise.all([codeOf(publish('2027-01-01', 3)), codeOf(publish('2027-01-02', 3))]);
    expect(both.sort((one, other) => one.localeCompare(other))).toEqual(['conflict version_exists', 'ok']);
    const audit = await billing.store.db.collection('audit').find({ action: 'terms.published' }).toArray();
    expect(audit.map((row) => [row['actor'], row['reason']])).toEqual([
      ['operator:op', 'a test'],
      ['operator:op', 'a test'],
    ]);
  });
});
