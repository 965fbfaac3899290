import { shortPath } from './home.js';

/**
 * The text printed once the system is ready: URLs, one key, a request to try and the configuration of an MCP client.
 * @param {{
 *   urls: import('./urls.js').Urls,
 *   workspaces: import('./seed.js').SeededWorkspace[],
 *   home: import('./home.js').Home,
 *   paint: (code: number, text: string) => string,
 * }} options
 */
export function readyText({ urls, workspaces, home, paint }) {
  const workspace = workspaces.find(({ name }) => name === 'acme-sandbox') ?? workspaces[0];
  const key = workspace.keys.find(({ name }) => name === 'full') ?? workspace.keys[0];
  /**
   * @param {string} label
   * @param {string} value
   */
  const row = (label, value) => `  ${paint(2, label.padEnd(16))}   ${value}`;
  const configuration = {
    mcpServers: {
      'creator-distribution': { type: 'http', url: urls.mcp_url, headers: { Authorization: `Bearer ${key.secret}` } },
    },
  };
  return [
    '',
    row('App', urls.app_url),
    row('REST', urls.api_url),
    row('MCP', urls.mcp_url),
    row('Operator API', urls.ops_url),
    row(
      'Mail',
      `is written to the gateway's log, with its links: grep '"a message"' ${shortPath(home.at('logs'))}/gateway*`,
    ),
    '',
    row('Key', key.secret),
    row('', paint(2, `"${key.name}" of ${workspace.name}; all keys are in ${shortPath(home.at('runtime.json'))}`)),
    '',
    '  Try it:',
    '',
    `    curl -s ${urls.api_url}/inventory -H "Authorization: Bearer ${key.secret}"`,
    '',
    '  Configuration for an MCP client:',
    '',
    JSON.stringify(configuration, null, 2).replace(/^/gm, '    '),
    '',
    `  ${paint(2, `Logs are in ${shortPath(home.at('logs'))}. Ctrl-C stops everything.`)}`,
    '',
    '',
  ].join('\n');
}
