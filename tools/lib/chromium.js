/** Where this machine has Chromium, for the suites in `tests/browser` and the demo from sign-up. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The names that systems give to Chromium and to browsers made of it. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** How a machine comes to Chromium. */
export const INSTALL_CHROMIUM =
  'Install it (Debian: apt-get install chromium), or set CDS_TEST_CHROMIUM to the path of a Chromium.';

/** @returns {string | undefined} */
export function chromiumOf() {
  const configured = process.env.CDS_TEST_CHROMIUM;
  if (configured) return configured;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => ['/usr/bin', ...folders].map((folder) => join(folder, name))).find(isProgram);
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
