import type { CampaignInput } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { completeInput } from './campaign-input.js';
import { EMPTY_CONTEXT } from './context.js';

const input: CampaignInput = {
  goal: 'launch',
  product: 'Rocket',
  moment: 'Live on 12 March 2027',
  window_start: '2027-03-10',
  window_end: '2027-03-31',
  budget_usd: 5_000,
};
const context = { ...EMPTY_CONTEXT, version: 1, name: 'Acme', audience: 'Founders of software companies' };
const complete = (over: Partial<CampaignInput>, from = context, today = '2027-03-10') =>
  completeInput({ ...input, ...over }, from, { day: today, sandbox: false });

describe('the input of a campaign (docs/domain/plans.md#campaign-input)', () => {
  it('gets defaults from the company context and by rule, named in order', () => {
    proves(
      'create.audience-from-context',
      'create.geography-worldwide',
      'create.desired-outcome',
      'create.defaults-named',
    );
    expect(complete({})).toMatchObject({
      problems: null,
      input: { audience: 'Founders of software companies', geography: 'Worldwide', company: 'Acme' },
      defaults: [
        { field: 'audience', value: 'Founders of software companies', from: 'company_context' },
        { field: 'geography', value: 'Worldwide', from: 'rule' },
        { field: 'company', value: 'Acme', from: 'company_context' },
        { field: 'desired_outcome', value: 'Views and sign-ups on launch day', from: 'rule' },
      ],
    });
  });

  it('names no default when everything was sent, and none for an unknown company', () => {
    const sent = { audience: 'Buyers of rockets', geography: 'Europe', company: 'Other', desired_outcome: 'Fame' };
    expect(complete(sent)).toMatchObject({ input: sent, defaults: [] });
    const unknown = complete({ audience: 'Buyers of rockets' }, EMPTY_CONTEXT as typeof context);
    expect(unknown).toMatchObject({ input: { company: null } });
    expect(unknown.problems === null && unknown.defaults.map((one) => one.field)).toEqual([
      'geography',
      'desired_outcome',
    ]);
  });

  it('starts today at the earliest and lasts a year at most', () => {
    expect(complete({ window_end: '2028-03-10' }).problems).toBeNull();
    expect(complete({ window_end: '2028-03-11' }).problems).toMatchObject([{ field: 'window_end' }]);
    expect(complete({ window_start: '2027-03-09' }).problems).toMatchObject([{ field: 'window_start' }]);
    expect(complete({ window_end: '2027-03-09' }).problems).toMatchObject([{ field: 'window_end' }]);
  });

  it('reports all problems at once, the missing audience first', () => {
    const problems = complete(
      { window_start: '2027-01-01', window_end: '2026-12-31' },
      EMPTY_CONTEXT as typeof context,
    ).problems;
    expect(problems?.map((one) => one.field)).toEqual(['audience', 'window_start', 'window_end']);
  });
});
