/** Prints the demo: numbered steps with request, duration and a few lines of the answer. */
import { createProgress } from '../lib/progress.ts';

export type Stage = ReturnType<typeof createStage>;

const LABEL_WIDTH = 14;

export function createStage() {
  const { paint, text: write } = createProgress();
  let number = 0;
  const say = (text = '') => write(`${text}\n`);

  return {
    title(text: string, where: string) {
      say();
      say(`  ${paint(1, text)}  ${paint(2, where)}`);
    },
    /** Runs one step and prints its line. */
    async step<T>(title: string, work: () => Promise<T>) {
      number += 1;
      const began = performance.now();
      const answer = await work();
      const took = `${Math.max(1, Math.round(performance.now() - began))} ms`;
      say();
      say(`  ${paint(36, String(number).padStart(2))}  ${paint(1, title.padEnd(44))} ${paint(2, took.padStart(9))}`);
      return answer;
    },
    detail(label: string, text: string) {
      say(`      ${paint(2, label.padEnd(LABEL_WIDTH))} ${text}`);
    },
    end(ms: number, next: string) {
      say();
      say(`  ${paint(32, '✓')} The whole job took ${(ms / 1000).toFixed(1)} s.  ${paint(2, next)}`);
      say();
    },
  };
}
