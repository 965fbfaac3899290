import type { Edge } from '../../edge/edge.js';
import type { Endpoint } from '../../edge/endpoint.js';
import type { Route } from '../../edge/routes.js';
import { askRoutes } from './ask-page.js';
import { connectKeyRoutes } from './key-page.js';

/** The pages of sign-in for MCP clients. */
export const connectRoutes = (edge: Edge): Route<Endpoint>[] => [...askRoutes(edge), ...connectKeyRoutes(edge)];
