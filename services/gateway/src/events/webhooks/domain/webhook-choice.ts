/** How many attempts run at once in one process (docs/domain/events.md#webhooks). */
export const AT_ONCE = { all: 64, workspace: 8, endpoint: 4, failingEndpoint: 1 } as const;

type Due = { ws: string; endpoint_id: string };

export type Running = readonly Due[];

/**
 * Which due lanes begin now, in their order: no endpoint and no workspace takes all the places, and one that fails has
 * a single attempt at a time, so that an endpoint that hangs holds up no other.
 */
export const chosen = <L extends Due>(
  due: readonly L[],
  running: Running,
  isFailing: (endpointId: string) => boolean,
): L[] => {
  const begun: Due[] = [...running];
  const picked: L[] = [];
  for (const lane of due) {
    if (begun.length >= AT_ONCE.all) break;
    const places = isFailing(lane.endpoint_id) ? AT_ONCE.failingEndpoint : AT_ONCE.endpoint;
    if (begun.filter(({ endpoint_id }) => endpoint_id === lane.endpoint_id).length >= places) continue;
    if (begun.filter(({ ws }) => ws === lane.ws).length >= AT_ONCE.workspace) continue;
    begun.push(lane);
    picked.push(lane);
  }
  return picked;
};
