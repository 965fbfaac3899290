/** The browser of the suites in `tests/browser`: Debian's Chromium, installed when this machine has none and may. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromiumOf, INSTALL_CHROMIUM } from '../lib/chromium.js';

const BROWSER_SUITES = 'tests/browser';

/**
 * Whether a run holds suites that need a browser: every run of everything, and one whose arguments name them.
 * @param {readonly string[]} args
 */
export const needsBrowser = (args) =>
  args.length === 0 ||
  args.some(
    (arg) =>
      arg.includes(BROWSER_SUITES) ||
      BROWSER_SUITES === arg ||
      `${BROWSER_SUITES}/`.startsWith(`${arg.replace(/\/+$/, '')}/`),
  );

/**
 * Finds Chromium, or installs it as root on Debian. Sets CDS_TEST_CHROMIUM, which the suites read.
 * @param {ReturnType<typeof import('../lib/progress.js').createProgress>} progress
 */
export async function ensureBrowser(progress) {
  await progress.step('Chromium', async (say) => {
    const found = chromiumOf() ?? (await installed(say));
    process.env.CDS_TEST_CHROMIUM = found;
    return found;
  });
}

/**
 * @param {(text: string) => void} say
 * @returns {Promise<string>}
 */
async function installed(say) {
  const mayInstall = existsSync('/etc/debian_version') && process.getuid?.() === 0;
  if (!mayInstall) throw new Error(missing('This machine has no Chromium.'));
  say('reading the list of packages');
  await apt(['update'], say);
  say('installing');
  await apt(['install', '-y', '--no-install-recommends', 'chromium'], say);
  const found = chromiumOf();
  if (found === undefined) throw new Error(missing('apt-get has installed no Chromium.'));
  return found;
}

/** @param {string} what */
const missing = (what) => `${what} The suites in ${BROWSER_SUITES} need it. ${INSTALL_CHROMIUM}`;

/**
 * @param {string[]} args
 * @param {(text: string) => void} say
 * @returns {Promise<void>}
 */
function apt(args, say) {
  return new Promise((resolve, reject) => {
    const child = spawn('apt-get', args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    let last = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        last = String(data).trim().split('\n').at(-1) ?? last;
        say(last.slice(0, 60));
      });
    child
      .once('error', reject)
      .once('close', (code) =>
        code === 0 ? resolve() : reject(new Error(missing(`apt-get ${args[0]} failed: ${last}`))),
      );
  });
}
