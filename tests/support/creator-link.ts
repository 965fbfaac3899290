import { ask, type SharedStack } from './stack.js';

/** A new link for the creator of a proposal, which the team gets to send; the old one is void. */
export const creatorLinkOf = async (stack: SharedStack, proposal: string): Promise<string> => {
  const made = await ask(stack, stack.opsToken, 'ops_proposal_link', { id: proposal, reason: 'to be sent' });
  if (made.status !== 200) throw new Error(`ops_proposal_link answered ${made.status}: ${JSON.stringify(made.body)}`);
  return (made.body as { link: string }).link;
};
