import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLogger } from '@cds/service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ImportWanted } from './import-batches.js';
import { ImportProcess } from './import-process.js';
import type { ImportReport } from './importer.js';

const REPORT: ImportReport = { created: 1, updated: 0, unchanged: 0, refused: [] };
const WANTED: ImportWanted = {
  asOf: null,
  dryRun: false,
  creator: null,
  networkNow: new Date('2026-11-21T12:00:00.000Z'),
  setBy: 'test',
};

/** Does with a file what its id says, and tells its process number as the number of creators. */
const PROGRAM = `
process.on('message', ({ import: id, file, wanted }) => {
  if (file.id === 'dies') process.exit(3);
  if (file.id === 'waits') return;
  const error = { code: 'unprocessable', message: 'No.', details: { problems: [] } };
  if (file.id === 'refused') return process.send({ import: id, refused: error });
  if (file.id === 'fails') return process.send({ import: id, failed: { message: 'broken', stack: 'Error: broken' } });
  const report = { created: process.pid, updated: 0, unchanged: wanted.networkNow.getUTCHours(), refused: [] };
  process.send({ import: id, so_far: { ...report, created: 0 } });
  process.send({ import: id, done: report });
});
process.once('disconnect', () => process.exit(0));
`;

/** The process is a real one; what it would import is not (tests/system/memory.test.ts imports a file). */
describe('imports in a process of their own', () => {
  let folder: string;
  let imports: ImportProcess;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'import-process-'));
    const program = join(folder, 'program.mjs');
    writeFileSync(program, PROGRAM);
    imports = new ImportProcess(makeLogger('catalog', 'silent'), program);
  });
  afterAll(() => {
    imports.close();
    rmSync(folder, { recursive: true });
  });

  const run = (id: string, reports: ImportReport[] = []) =>
    imports.run({ id, type: 'json' }, WANTED, async (report) => void reports.push(report));

  it('tell how far they are and how they ended, and share one process', async () => {
    const reports: ImportReport[] = [];
    const [one, other] = await Promise.all([run('one', reports), run('other')]);
    expect(one).toEqual({ ...REPORT, created: expect.any(Number), unchanged: 12 });
    expect(other.created).toBe(one.created);
    expect(one.created).not.toBe(process.pid);
    expect(reports).toEqual([{ ...one, created: 0 }]);
  });

  it('end only once all their progress is stored', async () => {
    const order: string[] = [];
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const stored = async () => {
      await gate;
      order.push('stored');
    };
    const ended = imports.run({ id: 'slow', type: 'json' }, WANTED, stored).then(() => order.push('ended'));
    // By its end, the process has reported the end of the first one too.
    await run('next');
    open();
    await ended;
    expect(order).toEqual(['stored', 'ended']);
  });

  it('refuse a file with the error of the importer, and fail with its reason', async () => {
    await expect(run('refused')).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'No.',
      details: { problems: [] },
    });
    await expect(run('fails')).rejects.toThrow('broken');
  });

  it('all fail when the process dies, and the next one starts another', async () => {
    const before = (await run('before')).created;
    const both = await Promise.allSettled([run('waits'), run('dies')]);
    expect(both.map((one) => one.status === 'rejected' && String(one.reason))).toEqual([
      expect.stringContaining('ended by code 3'),
      expect.stringContaining('ended by code 3'),
    ]);
    expect((await run('after')).created).not.toBe(before);
  });

  it('fail when the process cannot be started, and the next one starts another', async () => {
    const alone = new ImportProcess(makeLogger('catalog', 'silent'), join(folder, 'program.mjs'));
    const one = (id: string) => alone.run({ id, type: 'json' }, WANTED, async () => undefined);
    const node = process.execPath;
    process.execPath = join(folder, 'no-node');
    try {
      await expect(one('unstarted')).rejects.toThrow('ENOENT');
    } finally {
      process.execPath = node;
    }
    expect(await one('after')).toMatchObject({ unchanged: 12 });
    alone.close();
  });

  it('fail when their process cannot open its databases, and the next one starts another', async () => {
    const program = join(folder, 'no-database.mjs');
    const importFiles = new URL('../../dist/import-files.js', import.meta.url).href;
    const shared = { logLevel: 'silent', store: { uri: 'no-address', db: 'catalog' } };
    const config = { CDS_IDENTITY_MONGODB_URI: 'no-address', CDS_IDENTITY_DB: 'identity' };
    const call = `importFiles(${JSON.stringify(shared)}, ${JSON.stringify(config)});`;
    writeFileSync(program, `import { importFiles } from '${importFiles}';\n${call}`);
    const started: unknown[] = [];
    const log = { info: (process: unknown) => void started.push(process), error: () => undefined };
    const alone = new ImportProcess(log, program);
    for (const id of ['one', 'next'])
      await expect(alone.run({ id, type: 'json' }, WANTED, async () => undefined)).rejects.toThrow();
    expect(new Set(started.map((process) => JSON.stringify(process))).size).toBe(2);
    alone.close();
  });

  it('fail when the service stops', async () => {
    const waiting = run('waits');
    imports.close();
    await expect(waiting).rejects.toThrow('ended by SIGTERM');
  });
});
