import type { NetworkFacts } from '@cds/contracts';
import { ago, number } from './foundation/format.js';

/** The ways to connect an agent, as lines to copy. The key itself is never part of them. */
const connectionLines = (appUrl: string) => [
  {
    id: 'connect-mcp',
    label: 'MCP client, for example Claude Code',
    code: `claude mcp add --transport http creators ${appUrl}/api/mcp \\\n  --header "Authorization: Bearer $CDS_API_KEY"`,
  },
  {
    id: 'connect-curl',
    label: 'curl',
    code: `curl ${appUrl}/api/v1/inventory \\\n  -H "Authorization: Bearer $CDS_API_KEY"`,
  },
];

/** The network in figures; null while it is being counted. */
const factsShown = (facts: NetworkFacts | null, now: Date) =>
  facts === null
    ? null
    : {
        figures: [
          { label: 'Creators vetted and approved', value: number(facts.approved) },
          { label: 'Bookable at a known price', value: number(facts.priced) },
        ],
        counted: ago(facts.as_of, now),
      };

/** The home page. */
export const homeModel = (appUrl: string, facts: NetworkFacts | null, now: Date) => ({
  facts: factsShown(facts, now),
  codes: connectionLines(appUrl),
});
