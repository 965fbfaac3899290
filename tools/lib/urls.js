/** @typedef {ReturnType<typeof urlsOf>} Urls */
/**
 * Every address a caller may need, from the port of the gateway.
 * @param {number} port
 */
export function urlsOf(port) {
  const app = `http://localhost:${port}`;
  return {
    app_url: app,
    api_url: `${app}/api/v1`,
    mcp_url: `${app}/api/mcp`,
    guest_mcp_url: `${app}/api/mcp/guest`,
    ops_url: `${app}/api/ops`,
  };
}
