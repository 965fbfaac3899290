import type { Route } from '../port.js';
import { askRoutes } from './ask-page.js';
import { connectKeyRoutes } from './key-page.js';

/** The pages of sign-in for MCP clients. */
export const connectRoutes: readonly Route[] = [...askRoutes, ...connectKeyRoutes];
