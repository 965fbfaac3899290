/** A reporter of Jest: writes how each test ended to the file that CDS_MUTANT_REPORT names, one JSON line each. */
import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** how one test ended */
export type Result = { name: string; status: string; failures: string[] };

// biome-ignore lint/style/noDefaultExport: Jest finds a reporter by its default export.
export default class Reporter {
  onTestResult(
    _test: unknown,
    { testResults }: { testResults: { fullName: string; status: string; failureMessages: string[] }[] },
  ) {
    for (const { fullName, status, failureMessages } of testResults) {
      const result: Result = {
        name: fullName,
        status,
        failures: failureMessages.map((text) => stripVTControlCharacters(text)),
      };
      appendFileSync(process.env.CDS_MUTANT_REPORT ?? '/dev/null', `${JSON.stringify(result)}\n`);
    }
  }
}
