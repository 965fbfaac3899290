import type { ErrorCode } from '@cds/contracts';
import type { Reply } from '@cds/service';

/** After this time a replica that died holds its command no longer: leases and holds last 5 s. */
const FIRST_MS = 6_000;
const NEXT_MS = 3_000;

/** Errors that do not say how a write ended that was sent more than once. */
const UNDECIDED: ReadonlySet<ErrorCode> = new Set(['in_progress', 'unavailable', 'internal']);
const decides = (reply: Reply): boolean => reply.ok || !UNDECIDED.has(reply.error.code);

/**
 * The replica that took a write may have died or been frozen, so the write is sent again while no answer comes;
 * whichever takes it finds the outcome or finishes it (docs/reliability.md#requests-between-services). The first send
 * decides when nobody else does: a repeat without a reply may be what it found running.
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
