/**
 * One line per step: a mark, the step, its result, its duration. A terminal gets a spinner; anything else gets plain
 * lines, and a step of more than two seconds says so while it runs.
 */
/** @typedef {(detail: string) => void} Say Changes the text that is shown while a step runs. */
/** @typedef {ReturnType<typeof createProgress>} Progress */

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const LABEL_WIDTH = 16;
const DETAIL_WIDTH = 56;
const QUIET_MS = 2000;
const REPEAT_MS = 5000;

/** @param {NodeJS.WritableStream & { isTTY?: boolean, columns?: number }} out */
export function createProgress(out = process.stdout) {
  const live = Boolean(out.isTTY);
  const colour = live && !process.env.NO_COLOR;
  /**
   * @param {number} code
   * @param {string} text
   */
  const paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const clear = () => live && out.write('\r\u001b[2K');
  /** @type {{ label: string, detail: string, began: number } | undefined} */
  let active;

  const draw = () => {
    if (!active || !live) return;
    const frame = FRAMES[Math.floor(Date.now() / 80) % FRAMES.length];
    const text = `${active.label.padEnd(LABEL_WIDTH)} ${active.detail}`.slice(0, (out.columns || 80) - 14);
    out.write(`\r\u001b[2K  ${paint(36, frame)} ${text}  ${paint(2, seconds(Date.now() - active.began))}`);
  };

  /**
   * @param {string} mark
   * @param {string} label
   * @param {string | undefined} detail
   * @param {number} [ms]
   */
  const line = (mark, label, detail, ms) => {
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
     * @template T
     * @param {string} label
     * @param {(say: Say) => Promise<T>} work
     * @returns {Promise<T>}
     */
    async step(label, work) {
      const step = { label, detail: '', began: Date.now() };
      active = step;
      draw();
      const spinner = live ? setInterval(draw, 80) : undefined;
      /** @type {NodeJS.Timeout | undefined} */
      let plain;
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
    /**
     * A line outside any step: a refusal, a choice, a restart.
     * @param {string} label
     * @param {string} [detail]
     */
    note(label, detail) {
      line(paint(2, '·'), label, detail);
    },
    /**
     * @param {string} label
     * @param {string} [detail]
     */
    warn(label, detail) {
      line(paint(33, '!'), label, detail);
    },
    /** @param {string} text */
    text(text) {
      clear();
      out.write(text);
      draw();
    },
  };
}

/**
 * The text that a step leaves: its result, or the detail of it.
 * @param {unknown} result
 */
function detailOf(result) {
  if (typeof result === 'string') return result;
  return /** @type {{ detail?: string } | undefined} */ (result)?.detail ?? '';
}

/** @param {number} ms */
export function seconds(ms) {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
