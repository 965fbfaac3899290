import type { Key } from '@cds/contracts';
import { isLive, mandateLine, scopesLine, stateOf } from '../developers/key-model.js';
import type { Asked } from '../port.js';

export const askerOf = ({ name, to, transport, describedBy }: Asked) => ({
  name,
  to,
  works: transport === 'mcp' ? 'With the tools of the MCP endpoint' : 'By calls of the REST API',
  describedBy,
});

/** Whether a client may act as a key: not as the workspace's own agent key, which is people's. */
export const isChoice = (key: Key, now: Date): boolean => key.public_id !== null && isLive(key, now);

/** What a key may do, after anything that prevents it now or soon. */
const helpOf = (key: Key, currentTerms: string | null, now: Date): string => {
  const state = stateOf(key, currentTerms, now);
  const warning = state.kind === 'good' ? '' : `${state.label}. `;
  return `${warning}${scopesLine(key.scopes)}. ${mandateLine(key.mandate)}`;
};

/** The keys that a client may act as; the newest first, so that the one just made is at hand. */
export const keyChoices = (
  keys: readonly Key[],
  chosen: string,
  currentTerms: string | null,
  now: Date,
  error: string | undefined,
) => {
  const choices = keys.filter((key) => isChoice(key, now)).reverse();
  const first = choices.find(({ id }) => id === chosen) ?? choices[0];
  return {
    name: 'key',
    legend: 'The key that it acts as',
    type: 'radio',
    help: 'It may do what the key may do, within the key’s mandate and limits, and is logged under it. The key’s secret stays here.',
    error,
    options: choices.map((key) => ({
      value: key.id,
      label: key.name,
      help: helpOf(key, currentTerms, now),
      checked: key === first,
    })),
  };
};
