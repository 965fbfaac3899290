/**
 * Makes the secrets of an installation, one file for each process. What exists stays; run it again after an upgrade.
 *
 *   npm run deploy:secrets -- compose             into deploy/compose/secrets
 *   npm run deploy:secrets -- kubernetes          into deploy/k8s/overlays/dev/secrets, for trials
 *   npm run deploy:secrets -- kubernetes FOLDER   into a folder, to hand them over to a secret store
 */
import { join } from 'node:path';
import { writeDeploymentSecrets } from './lib/deployment.ts';
import { Failure, runTool } from './lib/failure.ts';
import { REPOSITORY, shortPath } from './lib/home.ts';
import { createProgress } from './lib/progress.ts';

const FOLDERS = { compose: 'deploy/compose/secrets', kubernetes: 'deploy/k8s/overlays/dev/secrets' };

async function main() {
  const progress = createProgress();
  const [target, folder, ...rest] = process.argv.slice(2);
  if ((target !== 'compose' && target !== 'kubernetes') || rest.length > 0)
    throw new Failure(`"${[target, folder, ...rest].join(' ').trim()}" is not a target.`, [
      'npm run deploy:secrets -- compose',
      'npm run deploy:secrets -- kubernetes',
    ]);
  const written = await writeDeploymentSecrets({ folder: folder ?? join(REPOSITORY, FOLDERS[target]), target });
  progress.note('Secrets', `in ${shortPath(written)}; keep a copy, because lost keys open nothing again`);
}

runTool(main);
