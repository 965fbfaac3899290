import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '../../tools/lib/home.js';
import { type Container, objectsIn, podOf, readText } from './manifests.js';

/** The folder of the jobs' volume. */
const VOLUME = '/backups';

const containerIn = (path: string): Container => {
  const [job] = objectsIn(readText(REPOSITORY, 'deploy/k8s', path));
  const container = job === undefined ? undefined : podOf(job)?.containers[0];
  if (container === undefined) throw new Error(`${path} has no container`);
  return container;
};

/** Runs the very command of a job of deploy/k8s, on a folder of this machine in place of its volume. */
export const runJob = async (path: string, volume: string, env: Record<string, string>): Promise<void> => {
  const { command = [], args = [] } = containerIn(path);
  const [program = '', ...rest] = [...command, ...args.map((script) => script.replaceAll(VOLUME, volume))];
  const PATH = process.env['PATH'] ?? '';
  await promisify(execFile)(program, rest, { env: { PATH, HOME: mkdtempSync(join(tmpdir(), 'job-')), ...env } });
};
