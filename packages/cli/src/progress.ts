import type { RetryNotice } from '@cds/sdk';
import { paintFor } from './output.js';
import type { World } from './world.js';

/** A call shorter than this shows nothing. */
const QUIET_MS = 2_000;
const REDRAW_MS = 1_000;

const wordsOf = ({ error, attempt, waitMs }: RetryNotice): string =>
  `${error.message} Trying again in ${Math.ceil(waitMs / 1_000)} s (attempt ${attempt} failed).`;

/** Says on the error stream that a call takes more than two seconds, and each time it is tried again. */
export const createProgress = (world: World) => {
  const live = world.terminal.err;
  const paint = paintFor(world, 'err');
  let note = '';
  const clear = () => {
    if (live) world.err('\r\u001b[2K');
  };
  return {
    onRetry: (notice: RetryNotice): void => {
      note = wordsOf(notice);
      clear();
      world.err(live ? paint('dim', note) : `${note}\n`);
    },
    during: async <T>(label: string, work: () => Promise<T>): Promise<T> => {
      const began = performance.now();
      let shown = false;
      const draw = () => {
        const seconds = Math.round((performance.now() - began) / 1_000);
        if (live) world.err(`\r\u001b[2K${paint('dim', `${label}, ${seconds} s  ${note}`.trimEnd())}`);
        else if (!shown) world.err(`${label}\n`);
        shown = true;
      };
      let timer = setTimeout(function next() {
        draw();
        timer = setTimeout(next, REDRAW_MS);
      }, QUIET_MS);
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        if (shown || note !== '') clear();
        note = '';
      }
    },
  };
};

export type Progress = ReturnType<typeof createProgress>;
