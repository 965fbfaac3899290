/** Prints the demo: numbered steps with request, duration and a few lines of the answer. */
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
/**
 * @param {number} code
 * @param {string} text
 */
const paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
const LABEL_WIDTH = 14;

export function createStage(out = process.stdout) {
  let number = 0;
  const say = (text = '') => out.write(`${text}\n`);

  return {
    /**
     * @param {string} text
     * @param {string} where
     */
    title(text, where) {
      say();
      say(`  ${paint(1, text)}  ${paint(2, where)}`);
    },
    /**
     * Runs one step and prints its line; `asked` is the request as an agent would write it.
     * @template T
     * @param {string} title
     * @param {() => Promise<T>} work
     */
    async step(title, work, asked = '') {
      number += 1;
      const began = performance.now();
      const answer = await work();
      const took = `${Math.max(1, Math.round(performance.now() - began))} ms`;
      say();
      say(`  ${paint(36, String(number).padStart(2))}  ${paint(1, title.padEnd(44))} ${paint(2, took.padStart(9))}`);
      if (asked) say(`      ${paint(2, asked)}`);
      return answer;
    },
    /**
     * @param {string} label
     * @param {string} text
     */
    detail(label, text) {
      say(`      ${paint(2, label.padEnd(LABEL_WIDTH))} ${text}`);
    },
    /**
     * @param {number} ms
     * @param {string} next
     */
    end(ms, next) {
      say();
      say(`  ${paint(32, '✓')} The whole job took ${(ms / 1000).toFixed(1)} s.  ${paint(2, next)}`);
      say();
    },
  };
}
