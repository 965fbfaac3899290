import { page } from '../foundation/page.js';
import type { Answer } from '../port.js';
import { connectionLines } from './connection-lines.js';

/** What somebody sees who opens the sign-in without a client: how to connect one. */
export const byHandPage = (appUrl: string): Answer =>
  page('connect/by-hand', {
    title: 'Connect an agent',
    indexed: true,
    scripts: true,
    width: 'wide',
    links: [
      { href: '/sign-in', label: 'Sign in', quiet: true },
      { href: '/signup', label: 'Sign up' },
    ],
    url: `${appUrl}/api/mcp`,
    agents: connectionLines(`${appUrl}/api/mcp`),
  });
