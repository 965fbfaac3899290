/** Programs from outside that suites need: a Chromium, the MCP client of Python, and Stripe's own mock server. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath, run } from './command.ts';
import { installed } from './engine-sources.ts';
import { Failure } from './failure.ts';
import { cacheFolders } from './home.ts';
import type { Progress } from './progress.ts';

/** The names that systems give to Chromium and to browsers made of it. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PYTHON_CLIENT = 'mcp==2.3.0';
const STRIPE_MOCK = { module: 'github.com/stripe/stripe-mock', version: '0.203.0', program: 'stripe-mock' };

export const INSTALL_CHROMIUM =
  'Install it (Debian: apt-get install chromium), or set CDS_TEST_CHROMIUM to the path of a Chromium.';

export const chromiumOf = (): string | undefined => process.env.CDS_TEST_CHROMIUM || NAMES.flatMap(findOnPath)[0];

/** Brings what the suites of a run need; `holds` says whether it has any in a folder. */
export async function ensureOutside(progress: Progress, holds: (folder: string) => boolean) {
  if (holds('tests/browser')) {
    await ensureBrowser(progress);
    await ensurePythonClient(progress);
  }
  if (holds('services/billing/src/rails/stripe')) await ensureStripeMock(progress);
}

/** Finds Chromium, or installs it as root on Debian. */
const ensureBrowser = (progress: Progress) =>
  progress.step('Chromium', async (say) => {
    if (chromiumOf() === undefined && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
      for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']])
        await run('apt-get', args, { env, onLine: (line) => say(line.slice(0, 60)) });
    }
    const found = chromiumOf();
    if (found === undefined)
      throw new Failure('This machine has no Chromium, which the suites in tests/browser need.', [INSTALL_CHROMIUM]);
    process.env.CDS_TEST_CHROMIUM = found;
    return found;
  });

/** Installs the client once into a virtual environment; one that is half made is made again. */
const ensurePythonClient = (progress: Progress) =>
  progress.step('Python client', async (say) => {
    const folder = join(cacheFolders()[0], `python-${PYTHON_CLIENT.replace('==', '-')}`);
    const whole = join(folder, 'installed');
    if (!existsSync(whole)) {
      const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
      if ((await run('python3', ['-c', check])).reason) return 'no Python 3.10 with venv here: its tests are skipped';
      say('installing from PyPI, once');
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      const { reason } = await run('python3', ['-m', 'venv', folder]);
      const pip = await run(join(folder, 'bin', 'pip'), ['install', '--quiet', PYTHON_CLIENT]);
      if (reason || pip.reason) return `${reason ?? pip.reason}: its tests are skipped`;
      writeFileSync(whole, '');
    }
    process.env.CDS_TEST_PYTHON_MCP = join(folder, 'bin', 'python');
    return PYTHON_CLIENT;
  });

/** Builds the mock server once; without Go its tests count as skipped. */
const ensureStripeMock = (progress: Progress) =>
  progress.step('stripe-mock', async (say) => {
    const work = join(cacheFolders()[0], `stripe-mock-${STRIPE_MOCK.version}`);
    const program = join(work, 'stripe-mock');
    if (!existsSync(program)) {
      mkdirSync(work, { recursive: true });
      const { reason } = await installed(STRIPE_MOCK)({ work, say });
      if (reason) return `${reason}: its tests are skipped`;
    }
    process.env.CDS_TEST_STRIPE_MOCK = program;
    return STRIPE_MOCK.version;
  });
