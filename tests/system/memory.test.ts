// @night: an import of 10 MiB, measured.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, eventually, type Stack, startWholeStack } from '../support/stack.js';

const MIB = 1024 * 1024;
const FILE_BYTES = 10 * MIB;
/** The most memory that a process may use for importing (docs/domain/network.md#imports, importers). */
const PEAK_MAX_MIB = 256;

/** The peak memory of a process in MiB, as the kernel counts it. */
const peakOf = (pid: number): number => {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? Number.NaN) / 1024;
};

const aFile = (asOf: string): string => {
  const posts = Array.from({ length: 10 }, (_none, at) => ({
    id: `p${at}`,
    created_at: new Date(Date.parse(asOf) - (at + 2) * 86_400_000).toISOString(),
    text: `Notes ${at} on startup founders and what they build. `.repeat(5),
    views: 1_000 + at,
    likes: 20,
  }));
  const creators: string[] = [];
  let bytes = 100;
  for (let at = 0; bytes < FILE_BYTES - 10_000; at += 1) {
    creators.push(
      JSON.stringify({ network_id: `big${at}`, handle: `big_${at}`, name: `Big ${at}`, bio: 'x'.repeat(400), posts }),
    );
    bytes += (creators.at(-1)?.length ?? 0) + 1;
  }
  return `{"version":1,"source":"network","as_of":"${asOf}","creators":[${creators.join(',')}]}`;
};

const childOf = (pid: number): number => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  expect(children).toHaveLength(1);
  return Number(children[0]);
};

// The peak of a process is read from /proc.
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('a file of 10 MiB', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startWholeStack({ creators: 2_000 });
  }, 180_000);
  afterAll(() => stack?.stop());

  onLinux(
    'is imported by a process of its own that never holds more than 256 MiB',
    async () => {
      const facts = (await ask(stack, stack.opsToken, 'dev_network', {})).body as { newest_synced_at: string };
      const pid = stack.services['catalog']?.[0]?.pid ?? 0;
      const report = await ask(
        stack,
        stack.opsToken,
        'ops_creators_import',
        JSON.parse(aFile(facts.newest_synced_at)) as never,
      );
      expect(report).toMatchObject({ status: 200, body: { refused: [] } });
      const { id } = report.body as { id: string };
      const through = await eventually(
        () => ask(stack, stack.opsToken, 'ops_import_get', { id }),
        ({ done, failed }: { done: boolean; failed: boolean }) => done || failed,
        120_000,
      );
      expect(through).toMatchObject({ status: 200, body: { refused: [], done: true, failed: false } });
      expect(peakOf(childOf(pid))).toBeLessThan(PEAK_MAX_MIB);
    },
    180_000,
  );
});
