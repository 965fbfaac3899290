import type { FuzzRequest } from './requests.js';

const MOST_TRIES = 200;

const withoutEach = (fields: Record<string, unknown>): Record<string, unknown>[] =>
  Object.keys(fields).map((name) => Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name)));

const objectIn = (text: string | null): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
};

const smallerThan = (request: FuzzRequest): FuzzRequest[] => {
  if (request.transport === 'rest') {
    const { query, body } = request;
    return [
      ...query.map((_pair, index) => ({ ...request, query: query.filter((_one, other) => other !== index) })),
      ...withoutEach(objectIn(body)).map((fields) => ({ ...request, body: JSON.stringify(fields) })),
    ];
  }
  const message = objectIn(request.message) as { params?: { arguments?: Record<string, unknown> } };
  return withoutEach(message.params?.arguments ?? {}).map((args) => ({
    ...request,
    message: JSON.stringify({ ...message, params: { ...message.params, arguments: args } }),
  }));
};

export const shrunk = async (
  request: FuzzRequest,
  fails: (request: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> => {
  let smallest = request;
  let tries = MOST_TRIES;
  for (let candidates = smallerThan(smallest); candidates.length > 0 && tries > 0; tries -= 1) {
    const [candidate, ...others] = candidates;
    if (candidate !== undefined && (await fails(candidate))) {
      smallest = candidate;
      candidates = smallerThan(smallest);
    } else candidates = others;
  }
  return smallest;
};
