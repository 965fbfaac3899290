#!/usr/bin/env node
/**
 * `npm run demo`: runs the main job against the running system, as a brand's agent does, over REST or with `--mcp` over
 * MCP. Each step prints its request, its answer and its duration. Every run makes a new brand, so that no limits add up.
 */
import { mcpEndpoint, restEndpoint } from './demo/endpoints.js';
import { runMainJob } from './demo/main-job.js';
import { createStage } from './demo/stage.js';
import { Failure, printFailure } from './lib/failure.js';
import { openHome } from './lib/home.js';
import { runtimeFile } from './lib/runtime-file.js';
import { makeBrand, operator } from './lib/seed.js';

async function main() {
  const words = process.argv.slice(2);
  const unknown = words.find((word) => word !== '--mcp');
  if (unknown) throw new Failure(`The demo has no option ${unknown}.`, ['npm run demo', 'npm run demo -- --mcp']);

  const runtime = runtimeFile(openHome()).read();
  if (!runtime) {
    throw new Failure('The system is not running: this home has no runtime.json.', [
      'npm start  (in another terminal)',
      'CDS_HOME=... npm run demo  (if the system uses another home)',
    ]);
  }

  const began = performance.now();
  const stage = createStage();
  const byMcp = words.includes('--mcp');
  stage.title(byMcp ? 'The main job over MCP' : 'The main job over REST', byMcp ? runtime.mcp_url : runtime.api_url);

  const name = `Orbit ${Math.random().toString(36).slice(2, 6)}`;
  const brand = await stage.step('Create a demo brand', () =>
    makeBrand(operator({ opsUrl: runtime.ops_url, opsToken: runtime.ops_token }), {
      name,
      audience: 'startup founders and AI builders',
      sandbox: `${name} sandbox`,
    }),
  );
  const workspace = brand.find(({ kind }) => kind === 'sandbox');
  const secret = workspace?.keys.find((key) => key.name === 'full')?.secret ?? '';
  stage.detail('Brand', `${name}; its audience on file: startup founders and AI builders`);
  stage.detail('Key', 'nine scopes; mandate $25,000 a plan, $60,000 a month');

  const rest = restEndpoint({ apiUrl: runtime.api_url, appUrl: runtime.app_url, secret });
  const endpoint = byMcp ? await mcpEndpoint({ url: runtime.mcp_url, secret }) : rest;
  await runMainJob({ endpoint, sandbox: rest, stage });
  stage.end(
    performance.now() - began,
    byMcp ? 'npm run demo  does the same over REST' : 'npm run demo -- --mcp  does the same over MCP',
  );
}

main().catch((error) => {
  printFailure(error);
  process.exit(1);
});
