import { AppError } from '@cds/contracts';
import type { Client } from '@cds/service';
import { contextOf, LIMIT_MS } from '../edge/context.js';
import type { Edge } from '../edge/edge.js';
import type { Endpoint } from '../edge/endpoint.js';
import { publicRoutes } from '../edge/public-endpoint.js';
import type { Route } from '../edge/routes.js';
import { call } from './foundation/call.js';
import { day } from './foundation/format.js';
import { page } from './foundation/page.js';
import { homeModel } from './home-model.js';

/** The header of somebody who may not be signed in. */
export const PUBLIC_LINKS = [
  { href: '/docs/', label: 'Docs', quiet: true, roomy: true },
  { href: '/sign-in', label: 'Sign in', quiet: true },
  { href: '/signup', label: 'Sign up' },
] as const;

/** The home page, and each version of the brand terms (docs/domain/orders.md#brand-terms). */
export const pageRoutes = (edge: Edge, billing: Client<'terms_current'>): Route<Endpoint>[] => [
  ...publicRoutes(edge, '/', async (exchange, _params, caller) => {
    const facts = await call({ edge, exchange, caller }, 'network_facts');
    return page('home', {
      ...homeModel(edge.appUrl, facts.ok ? facts.value : null, caller.networkNow),
      title: 'Creator Distribution Service',
      indexed: true,
      scripts: true,
      width: 'wide',
      links: PUBLIC_LINKS,
    });
  }),
  ...publicRoutes(edge, '/terms/brand/{version}', async (exchange, params, caller) => {
    const ctx = contextOf(exchange, caller, null, await edge.switches.current(), LIMIT_MS.read);
    const { terms } = await billing.terms_current(ctx, { version: params['version'] ?? '' });
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
