import { AppError } from '@cds/contracts';
import { day } from './foundation/format.js';
import { page } from './foundation/page.js';
import { publicRoutes } from './foundation/visitor.js';
import { homeModel } from './home-model.js';
import type { Route } from './port.js';

/** The header of somebody who may not be signed in. */
export const PUBLIC_LINKS = [
  { href: '/docs/', label: 'Docs', quiet: true, roomy: true },
  { href: '/sign-in', label: 'Sign in', quiet: true },
  { href: '/signup', label: 'Sign up' },
] as const;

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
