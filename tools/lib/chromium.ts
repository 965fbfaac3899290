/** Where this machine has Chromium, for the suites in `tests/browser` and the demo from sign-up. */
import { existsSync } from 'node:fs';
import { findOnPath, run } from './command.ts';
import { Failure } from './failure.ts';
import type { Progress } from './progress.ts';

/** The names that systems give to Chromium and to browsers made of it. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export const INSTALL_CHROMIUM =
  'Install it (Debian: apt-get install chromium), or set CDS_TEST_CHROMIUM to the path of a Chromium.';

export const chromiumOf = (): string | undefined => process.env.CDS_TEST_CHROMIUM || NAMES.flatMap(findOnPath)[0];

/** Finds Chromium, or installs it as root on Debian. Sets CDS_TEST_CHROMIUM, which the suites read. */
export const ensureBrowser = (progress: Progress) =>
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
