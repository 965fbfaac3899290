import { expect, it, jest } from '@jest/globals';
import type { Checked } from './dependencies.js';
import { Readiness } from './readiness.js';

it('says in the log what is lacking, once for each change', async () => {
  const clock = jest.spyOn(performance, 'now');
  const log = { warn: jest.fn<(fields: object, text: string) => void>() };
  const silent: Checked = { name: 'planning', problem: 'it did not answer within 1000 ms', latencyMs: null };
  const well: Checked = { name: 'planning', problem: null, latencyMs: 1 };
  const answers = [silent, silent, well, silent];
  const readiness = new Readiness({ check: async () => [answers.shift() ?? well] }, log);
  try {
    const ready: boolean[] = [];
    for (let at = 0; at < 4_000; at += 1_000) {
      clock.mockReturnValue(at);
      ready.push(await readiness.ready());
    }
    expect(ready).toEqual([false, false, true, false]);
  } finally {
    clock.mockRestore();
  }
  const line = [{ lacking: 'planning: it did not answer within 1000 ms' }, 'not ready'];
  expect(log.warn.mock.calls).toEqual([line, line]);
});
