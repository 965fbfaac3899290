type Line = { id: string; label: string; code: string };

type AgentLines = { id: string; agent: string; next: string; signIn: Line; key: Line };

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Clients replace these by the variable of the environment. */
const variable = (name: string): string => ['$', '{', name, '}'].join('');

type Made = { agent: string; next: string; signIn: [string, string]; key: [string, string] };

/** As in the agents' own documentation; each has its own names for the same few settings. */
const made = (url: string): Made[] => {
  const header = `Authorization: Bearer $CDS_API_KEY`;
  const bearer = (name: string) => ({ Authorization: `Bearer ${variable(name)}` });
  return [
    {
      agent: 'Claude Code',
      next: 'Then type /mcp in Claude Code, choose creators, and sign in.',
      signIn: ['Command', `claude mcp add --transport http creators ${url}`],
      key: ['Command', `claude mcp add --transport http creators ${url} \\\n  --header "${header}"`],
    },
    {
      agent: 'Claude desktop and web',
      next: 'Settings, Connectors, Add custom connector: paste the address and press Connect.',
      signIn: ['Address of the connector', url],
      key: [
        'claude_desktop_config.json',
        json({
          mcpServers: {
            creators: {
              command: 'npx',
              args: ['mcp-remote', url, '--header', `Authorization: Bearer ${variable('CDS_API_KEY')}`],
              env: { CDS_API_KEY: 'your key' },
            },
          },
        }),
      ],
    },
    {
      agent: 'Cursor',
      next: 'Then press Connect beside creators in Settings, MCP.',
      signIn: ['.cursor/mcp.json', json({ mcpServers: { creators: { url } } })],
      key: ['.cursor/mcp.json', json({ mcpServers: { creators: { url, headers: bearer('env:CDS_API_KEY') } } })],
    },
    {
      agent: 'VS Code',
      next: 'Then start the server above its entry; VS Code opens the sign-in.',
      signIn: ['.vscode/mcp.json', json({ servers: { creators: { type: 'http', url } } })],
      key: [
        '.vscode/mcp.json',
        json({
          inputs: [{ type: 'promptString', id: 'cds-key', description: 'API key', password: true }],
          servers: { creators: { type: 'http', url, headers: bearer('input:cds-key') } },
        }),
      ],
    },
    {
      agent: 'Codex',
      next: 'The second command opens the sign-in.',
      signIn: ['Commands', `codex mcp add creators --url ${url}\ncodex mcp login creators`],
      key: ['Command', `codex mcp add creators --url ${url} \\\n  --bearer-token-env-var CDS_API_KEY`],
    },
    {
      agent: 'Gemini CLI',
      next: 'Then type /mcp auth creators in Gemini CLI.',
      signIn: ['Command', `gemini mcp add --transport http creators ${url}`],
      key: ['Command', `gemini mcp add --transport http creators ${url} \\\n  --header "${header}"`],
    },
    {
      agent: 'Other MCP clients',
      next: 'Any client that knows OAuth finds the sign-in by itself.',
      signIn: ['Configuration', json({ mcpServers: { creators: { type: 'http', url } } })],
      key: ['Configuration', json({ mcpServers: { creators: { type: 'http', url, headers: bearer('CDS_API_KEY') } } })],
    },
  ];
};

/** The connection lines of common agents for the MCP endpoint at this address. */
export const connectionLines = (url: string): AgentLines[] =>
  made(url).map(({ agent, next, signIn, key }, at) => ({
    id: `agent-${at + 1}`,
    agent,
    next,
    signIn: { id: `sign-in-${at + 1}`, label: `${agent} by sign-in: ${signIn[0]}`, code: signIn[1] },
    key: { id: `key-${at + 1}`, label: `${agent} with a key: ${key[0]}`, code: key[1] },
  }));
