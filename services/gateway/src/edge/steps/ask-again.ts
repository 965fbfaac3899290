import type { ErrorCode } from '@cds/contracts';
import type { Reply } from '@cds/service';

/** After this time a replica that died holds its command no longer: leases and holds last 5 s. */
const FIRST_MS = 6_000;
const NEXT_MS = 3_000;

/** Errors that do not say how a write ended that was sent more than once. */
const UNDECIDED: ReadonlySet<ErrorCode> = new Set(['in_progress', 'unavailable', 'internal']);
const decides = (reply: Reply): boolean => reply.ok || !UNDECIDED.has(reply.error.code);

/**
 * The answer to a write under a command. The replica that took it may have died or been frozen since, and no caller
 * should wait for that until its deadline. So the write is sent again while no answer comes; whichever replica takes it
 * finds the outcome, finishes what was begun, or reports that it is still running
 * (docs/reliability.md#requests-between-services). The first send decides when nobody else does: as long as a repeat
 * has no reply, it may be what the first one found running.
 */
export const askAgain = (send: () => Promise<Reply>): Promise<Reply> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let waiting = 0;
    let first: (() => void) | undefined;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
    };
    const endWithFirst = (): void => {
      if (first !== undefined && waiting === 0) end(first);
    };
    const repeat = (): void => {
      timer = setTimeout(repeat, NEXT_MS);
      waiting += 1;
      send()
        .then(
          (reply) => {
            if (decides(reply)) end(() => resolve(reply));
          },
          () => undefined,
        )
        .finally(() => {
          waiting -= 1;
          endWithFirst();
        });
    };
    timer = setTimeout(repeat, FIRST_MS);
    send().then(
      (reply) => {
        first = () => resolve(reply);
        if (decides(reply)) end(first);
        else endWithFirst();
      },
      (error: unknown) => {
        first = () => reject(error);
        endWithFirst();
      },
    );
  });
