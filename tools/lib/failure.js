/** A log line can be a whole document. */
const LINE_LIMIT = 240;

/** A failure the launcher can explain: what happened, and what to do about it. */
export class Failure extends Error {
  /**
   * @param {string} message one sentence @param {string[]} fixes things to do @param {string[]} details lines shown
   * between the two
   */
  constructor(message, fixes = [], details = []) {
    // What a test reports of an error is its message and its cause.
    super(message, details.length > 0 ? { cause: details.join('\n') } : {});
    this.name = 'Failure';
    this.fixes = fixes;
    this.details = details;
  }
}

/**
 * Prints a failure; anything else is a bug of the launcher and keeps its stack.
 * @param {unknown} error
 * @param {NodeJS.WritableStream} out
 */
export function printFailure(error, out = process.stderr) {
  if (!(error instanceof Failure)) {
    out.write(`\n  The launcher failed unexpectedly.\n\n${error instanceof Error ? error.stack : error}\n\n`);
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
