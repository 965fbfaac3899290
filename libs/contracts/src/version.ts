/** The version of the API and of the MCP server (spec, "Versioning"). */
export const API_VERSION = '1.25.0';
