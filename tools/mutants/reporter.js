/** A reporter of Jest: writes how each test ended to the file that CDS_MUTANT_REPORT names, one JSON line each. */
import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{ name: string, status: string, failures: string[] }} Result how one test ended */

// biome-ignore lint/style/noDefaultExport: Jest finds a reporter by its default export.
export default class Reporter {
  /**
   * @param {unknown} _test
   * @param {{ testResults: { fullName: string, status: string, failureMessages: string[] }[] }} suite
   */
  onTestResult(_test, { testResults }) {
    for (const { fullName, status, failureMessages } of testResults) {
      /** @type {Result} */
      const result = {
        name: fullName,
        status,
        failures: failureMessages.map((text) => stripVTControlCharacters(text)),
      };
      appendFileSync(process.env.CDS_MUTANT_REPORT ?? '/dev/null', `${JSON.stringify(result)}\n`);
    }
  }
}
