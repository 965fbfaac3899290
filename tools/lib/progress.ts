/** One line per step: a mark, the step, its result, its duration. A long step says what it does while it runs. */

export type Say = (detail: string) => void;
export type Progress = ReturnType<typeof createProgress>;

const LABEL_WIDTH = 16;
const DETAIL_WIDTH = 56;

export function createProgress() {
  const out = process.stdout;
  const live = Boolean(out.isTTY);
  const paint = (code: number, text: string) =>
    live && !process.env.NO_COLOR ? `\u001b[${code}m${text}\u001b[0m` : text;
  /** A terminal shows a running step in one line, which the next line replaces. */
  const text = (written: string) => out.write(`${live ? '\r\u001b[2K' : ''}${written}`);
  const line = (mark: string, label: string, detail = '', time = '') =>
    text(
      `${`  ${mark} ${label.padEnd(LABEL_WIDTH)} ${time ? detail.padEnd(DETAIL_WIDTH) : detail} ${time}`.trimEnd()}\n`,
    );

  return {
    paint,
    text,
    /** `work` receives a function that changes the text shown while it runs, and returns the text to keep. */
    async step<T>(label: string, work: (say: Say) => Promise<T>): Promise<T> {
      const began = Date.now();
      let doing = 'working';
      const show = () => {
        const now = `  … ${label.padEnd(LABEL_WIDTH)} ${doing} (${seconds(Date.now() - began)})`;
        text(live ? now.slice(0, out.columns || 80) : `${now}\n`);
      };
      const timer = setInterval(show, live ? 200 : 5_000);
      const end = (mark: string, result?: unknown) => {
        const detail = typeof result === 'string' ? result : (result as { detail?: string } | undefined)?.detail;
        line(mark, label, detail, paint(2, seconds(Date.now() - began).padStart(8)));
      };
      try {
        const result = await work((detail) => {
          doing = detail;
        });
        end(paint(32, '✓'), result);
        return result;
      } catch (error) {
        end(paint(31, '✗'));
        throw error;
      } finally {
        clearInterval(timer);
      }
    },
    /** A line outside any step: a refusal, a choice, a restart. */
    note: (label: string, detail?: string) => void line(paint(2, '·'), label, detail),
    warn: (label: string, detail?: string) => void line(paint(33, '!'), label, detail),
  };
}

export function seconds(ms: number) {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
