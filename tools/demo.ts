/**
 * `npm run demo`: runs the main job against the running system, as a brand's agent does, over REST or with `--mcp` over
 * MCP. With `--card` a live order is paid by card on the Stripe test server of `npm start -- --card`. Each step prints
 * its request, its answer and its duration. Every run makes a new brand, so that no limits add up. With `--from-signup`
 * the brand is made by nobody: a person signs it up in a browser, and every page that they meet is saved as a picture
 * in `--screenshots FOLDER` or in the home.
 */
import { resolve } from 'node:path';
import { payByCard } from './demo/card.ts';
import { mcpEndpoint, restEndpoint } from './demo/endpoints.ts';
import { runFromSignup } from './demo/from-signup.ts';
import { runMainJob, signFirstPlan } from './demo/main-job.ts';
import { createStage } from './demo/stage.ts';
import { argumentsOf } from './lib/arguments.ts';
import { Failure, runTool } from './lib/failure.ts';
import { shortPath } from './lib/home.ts';
import { type Runtime, runningSystem } from './lib/runtime-file.ts';
import { makeBrand, operator } from './lib/seed.ts';

const USAGES = [
  'npm run demo',
  'npm run demo -- --mcp',
  'npm run demo -- --card  (needs npm start -- --card)',
  'npm run demo -- --from-signup [--screenshots FOLDER]',
];

async function main() {
  const options = optionsOf();
  const { home, runtime } = runningSystem();
  if (options.fromSignup) await fromSignup(runtime, resolve(options.screenshots ?? home.at('screenshots')));
  else if (options.card) await byCard(runtime);
  else await mainJob(runtime, options.mcp);
}

function optionsOf() {
  const { values } = argumentsOf(
    {
      options: {
        mcp: { type: 'boolean' },
        card: { type: 'boolean' },
        'from-signup': { type: 'boolean' },
        screenshots: { type: 'string' },
      },
    },
    USAGES,
  );
  const { mcp = false, card = false, 'from-signup': fromSignup = false, screenshots } = values;
  if (mcp && fromSignup)
    throw new Failure("The agent of --from-signup works over REST, so '--mcp' does not go with it.", USAGES);
  if (card && (mcp || fromSignup)) throw new Failure("Option '--card' cannot be combined with another option.", USAGES);
  if (screenshots !== undefined && !fromSignup)
    throw new Failure("Option '--screenshots' needs '--from-signup'.", USAGES);
  return { mcp, card, fromSignup, screenshots };
}

async function mainJob(runtime: Runtime, byMcp: boolean) {
  const began = performance.now();
  const stage = createStage();
  stage.title(byMcp ? 'The main job over MCP' : 'The main job over REST', byMcp ? runtime.mcp_url : runtime.api_url);

  const name = newName();
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

  const rest = await restEndpoint({ url: runtime.api_url, secret });
  const endpoint = byMcp ? await mcpEndpoint({ url: runtime.mcp_url, secret }) : rest;
  await runMainJob({ endpoint, sandbox: rest, stage });
  stage.end(
    performance.now() - began,
    byMcp ? 'npm run demo  does the same over REST' : 'npm run demo -- --mcp  does the same over MCP',
  );
}

async function byCard(runtime: Runtime) {
  const began = performance.now();
  const stage = createStage();
  stage.title('A live order, paid by card', runtime.api_url);
  const ops = operator({ opsUrl: runtime.ops_url, opsToken: runtime.ops_token });
  const name = newName();
  const audience = 'startup founders and AI builders';
  const brand = await stage.step('Create a demo brand', () => makeBrand(ops, { name, audience, sandbox: null }));
  const secret = brand.flatMap(({ keys }) => keys).find((key) => key.name === 'full')?.secret ?? '';
  const endpoint = await restEndpoint({ url: runtime.api_url, secret });
  const approved = await signFirstPlan({ endpoint, stage, now: new Date().toISOString(), audience });
  if (approved.payment.rail !== 'checkout')
    throw new Failure('This system takes no cards: its live orders are paid by invoice.', [
      'npm start -- --card  (starts it with a card rail that moves no money)',
    ]);
  await payByCard({ endpoint, ops, stage, approved });
  stage.end(performance.now() - began, 'npm run demo  runs the main job in a sandbox');
}

async function fromSignup(runtime: Runtime, folder: string) {
  const began = performance.now();
  const stage = createStage();
  stage.title('From sign-up to a first signed plan', runtime.app_url);

  const company = newName();
  const domain = `${company.toLowerCase().replace(' ', '-')}.example`;
  const newcomer = { company, website: `https://${domain}`, name: 'Maya Lind', email: `maya@${domain}` };
  const pictures = await runFromSignup(runtime, newcomer, folder, stage);
  stage.end(performance.now() - began, `${pictures.length} pictures are in ${shortPath(folder)}`);
}

/** A name that another run is unlikely to have taken. */
const newName = () => `Orbit ${Math.random().toString(36).slice(2, 6)}`;

runTool(main);
