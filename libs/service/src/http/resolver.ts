import { Resolver } from 'node:dns/promises';

/** How long one question to a name server may take, and how often it is asked. */
const ASK = { timeout: 2_000, tries: 2 } as const;

/** Every address of a name, by sockets of its own: a silent name server must not occupy the process's few threads. */
export const addressesOf = async (host: string, signal: AbortSignal): Promise<string[]> => {
  const resolver = new Resolver(ASK);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};
