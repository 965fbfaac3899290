import { describe, expect, it, jest } from '@jest/globals';
import { Dependencies } from './dependencies.js';
import { opsChecks } from './operations/ops-checks.js';

type Of = ConstructorParameters<typeof Dependencies>[0];

const send = jest.fn<Of['bus']['send']>();
const checked = async (isBusUp: boolean) => {
  const dependencies = new Dependencies({
    bus: { send } as unknown as Of['bus'],
    now: async () => new Date(0),
    busUp: () => isBusUp,
  });
  const ctx = { networkNow: new Date(0) } as Parameters<typeof opsChecks>[0];
  const answer = await opsChecks(ctx, {}, { dependencies, installation: { check: async () => [] } });
  if (!('checks' in answer)) throw new Error('the checks are answered as an object');
  return answer;
};

describe('the checks', () => {
  it('are of the bus alone while it is away: no service is asked, and none is blamed', async () => {
    const { ok, checks } = await checked(false);
    expect(ok).toBe(false);
    expect(send).not.toHaveBeenCalled();
    const [, bus, ...services] = checks;
    expect(bus).toMatchObject({ name: 'bus', problem: 'the connection is down' });
    expect(services).toHaveLength(5);
    for (const { name, problem, mend } of services)
      expect([name, problem, mend]).toEqual([name, 'it cannot be asked while the bus is away', bus?.mend]);
  });

  it('name a service that does not answer on a bus that does', async () => {
    send.mockRejectedValue(new Error('no responders'));
    const { checks } = await checked(true);
    expect(checks.find(({ name }) => name === 'billing')).toMatchObject({
      problem: 'it did not answer within 1000 ms',
      mend: expect.stringContaining('See whether billing runs'),
    });
  });
});
