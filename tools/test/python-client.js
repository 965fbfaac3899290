/** The MCP client of Python that `tests/browser` drives; without Python 3.10 and venv its tests count as skipped. */
import { join } from 'node:path';
import { ensurePackage, hasPython } from '../lib/python-package.js';

const CLIENT = { name: 'mcp', version: '2.3.0' };

/**
 * Installs the client once into the cache. Sets CDS_TEST_PYTHON_MCP, which the suites read, to the Python that has it.
 * @param {ReturnType<typeof import('../lib/progress.js').createProgress>} progress
 */
export async function ensurePythonClient(progress) {
  await progress.step('Python client', async (say) => {
    if (!hasPython()) return 'no Python 3.10 with venv here: its tests are skipped';
    say('installing from PyPI, once');
    try {
      process.env.CDS_TEST_PYTHON_MCP = join(ensurePackage(CLIENT), 'python');
    } catch {
      return 'PyPI did not have it: its tests are skipped';
    }
    return `mcp ${CLIENT.version}`;
  });
}
