export type Urls = ReturnType<typeof urlsOf>;
export function urlsOf(port: number) {
  const app = `http://localhost:${port}`;
  return {
    app_url: app,
    api_url: `${app}/api/v1`,
    mcp_url: `${app}/api/mcp`,
    guest_mcp_url: `${app}/api/mcp/guest`,
    ops_url: `${app}/api/ops`,
  };
}
