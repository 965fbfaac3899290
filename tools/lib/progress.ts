/**
 * One line per step: a mark, the step, its result, its duration. A terminal gets a spinner; anything else gets plain
 * lines, and a step of more than two seconds says so while it runs.
 */
/** Changes the text that is shown while a step runs. */
export type Say = (detail: string) => void;
export type Progress = ReturnType<typeof createProgress>;

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const LABEL_WIDTH = 16;
const DETAIL_WIDTH = 56;
const QUIET_MS = 2000;
const REPEAT_MS = 5000;

export function createProgress(out: NodeJS.WritableStream & { isTTY?: boolean; columns?: number } = process.stdout) {
  const live = Boolean(out.isTTY);
  const colour = live && !process.env.NO_COLOR;
  const paint = (code: number, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const clear = () => live && out.write('\r\u001b[2K');
  let active: { label: string; detail: string; began: number } | undefined;

  const draw = () => {
    if (!active || !live) return;
    const frame = FRAMES[Math.floor(Date.now() / 80) % FRAMES.length];
    const text = `${active.label.padEnd(LABEL_WIDTH)} ${active.detail}`.slice(0, (out.columns || 80) - 14);
    out.write(`\r\u001b[2K  ${paint(36, frame)} ${text}  ${paint(2, seconds(Date.now() - active.began))}`);
  };

  const line = (mark: string, label: string, detail: string | undefined, ms?: number) => {
    clear();
    const time = ms === undefined ? '' : paint(2, seconds(ms).padStart(8));
    const text = time ? (detail ?? '').padEnd(DETAIL_WIDTH) : (detail ?? '');
    const row = `  ${mark} ${label.padEnd(LABEL_WIDTH)} ${text}${time ? ` ${time}` : ''}`;
    out.write(`${row.trimEnd()}\n`);
    draw();
  };

  return {
    paint,
    /**
     * Runs one step; `work` receives a function that changes the text shown while it runs, and returns the text to
     * keep.
     */
    async step<T>(label: string, work: (say: Say) => Promise<T>): Promise<T> {
      const step = { label, detail: '', began: Date.now() };
      active = step;
      draw();
      const spinner = live ? setInterval(draw, 80) : undefined;
      let plain: NodeJS.Timeout | undefined;
      if (!live) {
        const repeat = () => {
          out.write(
            `  … ${label.padEnd(LABEL_WIDTH)} ${step.detail || 'working'} (${seconds(Date.now() - step.began)})\n`,
          );
          plain = setTimeout(repeat, REPEAT_MS);
        };
        plain = setTimeout(repeat, QUIET_MS);
      }
      try {
        const result = await work((detail) => {
          step.detail = detail;
          draw();
        });
        active = undefined;
        line(paint(32, '✓'), label, detailOf(result), Date.now() - step.began);
        return result;
      } catch (error) {
        active = undefined;
        line(paint(31, '✗'), label, '', Date.now() - step.began);
        throw error;
      } finally {
        clearInterval(spinner);
        clearTimeout(plain);
      }
    },
    /** A line outside any step: a refusal, a choice, a restart. */
    note(label: string, detail?: string) {
      line(paint(2, '·'), label, detail);
    },
    warn(label: string, detail?: string) {
      line(paint(33, '!'), label, detail);
    },
    text(text: string) {
      clear();
      out.write(text);
      draw();
    },
  };
}

/** The text that a step leaves: its result, or the detail of it. */
function detailOf(result: unknown) {
  if (typeof result === 'string') return result;
  return (result as { detail?: string } | undefined)?.detail ?? '';
}

export function seconds(ms: number) {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
