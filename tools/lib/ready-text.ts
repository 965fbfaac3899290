import { type Home, shortPath } from './home.ts';
import type { Urls } from './runtime-file.ts';
import type { SeededWorkspace } from './seed.ts';

/**
 * The text printed once the system is ready: URLs, one key, a request to try and the configuration of an MCP client.
 */
export function readyText({
  urls,
  workspaces,
  home,
  paint,
}: {
  urls: Urls;
  workspaces: SeededWorkspace[];
  home: Home;
  paint: (code: number, text: string) => string;
}) {
  const workspace = workspaces.find(({ name }) => name === 'acme-sandbox') ?? workspaces[0];
  const key = workspace.keys.find(({ name }) => name === 'full') ?? workspace.keys[0];
  const row = (label: string, value: string) => `  ${paint(2, label.padEnd(16))}   ${value}`;
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
