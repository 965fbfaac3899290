/** `npm run compose:seed`: a generated network and two brands for `docker compose`, and prints their keys. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure, runTool } from './lib/failure.ts';
import { openHome, REPOSITORY } from './lib/home.ts';
import { createProgress } from './lib/progress.ts';
import { urlsOf } from './lib/runtime-file.ts';
import { openSecrets } from './lib/secrets.ts';
import { ensureBrands, ensureNetwork, operator } from './lib/seed.ts';

const UP_LIMIT_MS = 3 * 60_000;

/** Compose returns when the last container has started, which is before it is ready. */
async function untilReady(app: string) {
  for (const end = Date.now() + UP_LIMIT_MS; ; await pause(500)) {
    const answer = await fetch(`${app}/readyz`).catch(() => undefined);
    if (answer?.ok) return 'serves';
    if (Date.now() > end)
      throw new Failure(`${app} did not become ready within ${UP_LIMIT_MS / 60_000} minutes.`, [
        'docker compose ps --all  (which container is not healthy?)',
        'docker compose logs gateway',
        'CDS_PORT=8090 npm run compose:seed  (when it listens on another port)',
      ]);
  }
}

async function main() {
  const progress = createProgress();
  const secrets = openSecrets(openHome(join(REPOSITORY, 'deploy', 'compose', 'secrets')));
  const urls = urlsOf(Number(process.env.CDS_PORT ?? 8080));
  const ops = operator({ opsUrl: urls.ops_url, opsToken: secrets.values.ops_token });
  await progress.step('Gateway', () => untilReady(urls.app_url));
  await progress.step('Network', (say) => ensureNetwork({ ops, wanted: {}, say }));
  const { workspaces } = await progress.step('Keys', () => ensureBrands({ ops, secrets, hadData: true }));
  for (const { name, keys } of workspaces)
    for (const key of keys) progress.text(`  ${name}  ${key.name}  ${key.secret}\n`);
  progress.text(`\n  curl -s ${urls.api_url}/inventory -H "Authorization: Bearer ${workspaces[0]?.keys[0]?.secret}"\n`);
}

runTool(main);
