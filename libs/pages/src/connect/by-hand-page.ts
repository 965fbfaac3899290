import { page } from '../foundation/page.js';
import type { Answer } from '../port.js';
import { connectionLines } from './connection-lines.js';

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
