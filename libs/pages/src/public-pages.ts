import { AppError, type NetworkFacts } from '@cds/contracts';
import { ago, day, number } from './foundation/format.js';
import { page } from './foundation/page.js';
import { publicRoutes } from './foundation/visitor.js';
import type { Route } from './port.js';

/** The header of somebody who may not be signed in. */
export const PUBLIC_LINKS = [
  { href: '/docs/', label: 'Docs', quiet: true, roomy: true },
  { href: '/sign-in', label: 'Sign in', quiet: true },
  { href: '/signup', label: 'Sign up' },
] as const;

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

const homeModel = (appUrl: string, facts: NetworkFacts | null, now: Date) => ({
  facts: factsShown(facts, now),
  codes: connectionLines(appUrl),
});

/** The home page, and each version of the brand terms (docs/domain/orders.md#brand-terms). */
export const publicPageRoutes: readonly Route[] = [
  ...publicRoutes('/', async (visitor, { appUrl }) => {
    const facts = await visitor.call('network_facts');
    return page('home', {
      ...homeModel(appUrl, facts.ok ? facts.value : null, visitor.networkNow),
      title: 'Creator Distribution Service',
      indexed: true,
      scripts: true,
      width: 'wide',
      links: PUBLIC_LINKS,
    });
  }),
  ...publicRoutes('/terms/brand/{version}', async (visitor, _request, params) => {
    const { terms } = await visitor.ask('terms_current', { version: params['version'] ?? '' });
    if (terms === null) throw new AppError('not_found', 'Unknown version of the brand terms.');
    return page('terms', {
      title: `Brand terms ${terms.version}`,
      indexed: true,
      version: terms.version,
      number: terms.number,
      text: terms.text,
      sha: terms.text_sha256,
      published: day(terms.published_at),
    });
  }),
];
