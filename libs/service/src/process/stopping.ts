import type { Logger } from 'pino';

/** One step of a stop. After `byMs`, counted from the start of the whole stop, it is abandoned. */
export type StopStep = { name: string; byMs: number; run: () => Promise<unknown> | undefined };

/** Runs the groups of a stop one after the other. A step that fails or hangs is logged and abandoned in time. */
export const stopInSteps = async (
  groups: readonly (readonly StopStep[])[],
  log: Pick<Logger, 'warn'>,
): Promise<void> => {
  const began = performance.now();
  for (const group of groups) {
    await Promise.all(group.map((step) => endOf(step, began + step.byMs - performance.now(), log)));
  }
};

const endOf = async ({ name, run }: StopStep, leftMs: number, log: Pick<Logger, 'warn'>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), Math.max(0, leftMs));
  });
  try {
    const ended = await Promise.race([(async () => run())(), late]);
    if (ended === 'late') log.warn({ step: name }, 'a step of the stop did not finish in time and was abandoned');
  } catch (err) {
    log.warn({ err, step: name }, 'a step of the stop failed');
  } finally {
    clearTimeout(timer);
  }
};
