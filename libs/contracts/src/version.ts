/** The version of the API and of the MCP server (docs/specification.md#versioning). */
export const API_VERSION = '1.25.0';
