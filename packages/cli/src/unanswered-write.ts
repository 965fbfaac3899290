type Fetch = typeof globalThis.fetch;

const isOpen = (status: number): boolean => status >= 500 || status === 409;

/** A `fetch` that remembers the Idempotency-Key of a write until it was answered for good. */
export const rememberingWrites = (fetch: Fetch): { fetch: Fetch; unanswered: () => string | null } => {
  let unanswered: string | null = null;
  return {
    fetch: async (address, init) => {
      const key = new Headers(init?.headers).get('idempotency-key');
      if (key !== null) unanswered = key;
      const answer = await fetch(address, init);
      if (key !== null && !isOpen(answer.status)) unanswered = null;
      return answer;
    },
    unanswered: () => unanswered,
  };
};
