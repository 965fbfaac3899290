/** A log line can be a whole document. */
const LINE_LIMIT = 240;

/** A failure the launcher can explain: one sentence, what to do about it, and lines that are shown between the two. */
export class Failure extends Error {
  readonly fixes: readonly string[];
  readonly details: readonly string[];

  constructor(message: string, fixes: readonly string[] = [], details: readonly string[] = []) {
    // What a test reports of an error is its message and its cause.
    super(message, details.length > 0 ? { cause: details.join('\n') } : {});
    this.name = 'Failure';
    this.fixes = fixes;
    this.details = details;
  }
}

/** Runs a tool, which ends with the exit code that it returns, if any, and with 1 when it fails. */
export function runTool(main: () => Promise<unknown>) {
  main().then(
    // A pipe takes what was printed in its own time: leaving before that would cut it off.
    (code) => typeof code === 'number' && process.stdout.write('', () => process.exit(code)),
    (error) => {
      printFailure(error);
      process.exit(1);
    },
  );
}

/** Prints a failure; anything else is a bug of the tool and keeps its stack. */
export function printFailure(error: unknown) {
  const out = process.stderr;
  if (!(error instanceof Failure)) {
    out.write(`\n  The tool failed unexpectedly.\n\n${error instanceof Error ? error.stack : error}\n\n`);
    return;
  }
  out.write(`\n  ${error.message}\n`);
  if (error.details.length > 0)
    out.write(`\n${error.details.map((line) => `    ${line.slice(0, LINE_LIMIT)}`).join('\n')}\n`);
  if (error.fixes.length > 0) {
    out.write('\n  What helps:\n');
    for (const [index, fix] of error.fixes.entries()) out.write(`    ${index + 1}. ${fix}\n`);
  }
  out.write('\n');
}
