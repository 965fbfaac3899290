import {
  type CallToolResult,
  completable,
  type GetPromptResult,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { StandIn } from '../edge/mcp/sdk.js';
import { SERVER_INFO } from '../edge/mcp/server.js';
import { addInputFixtures, STATE } from './conformance-fixtures-input.js';

type Content = CallToolResult['content'][number];

/** A red pixel, and a sound without samples. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const text = (value: string): Content => ({ type: 'text', text: value });
const image: Content = { type: 'image', data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, mimeType = 'text/plain', value = 'An embedded resource.'): Content => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
});

/** The tools that answer at once. */
const CONTENTS: Record<string, Content[]> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [embedded('test://embedded-resource')],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  test_streaming_elicitation: [text('Nothing was asked.')],
};

const progress = async ({ mcpReq }: ServerContext): Promise<void> => {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  for (const done of [0, 50, 100])
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: done, total: 100 } });
};

const log = async ({ mcpReq }: ServerContext): Promise<void> => {
  for (const step of ['started', 'goes on', 'ends']) await mcpReq.log('info', step);
};

/** The tools that say something before they answer. */
const SPEAKING: Record<string, (ctx: ServerContext) => Promise<void>> = {
  test_tool_with_progress: progress,
  test_tool_with_logging: log,
  test_logging_tool: log,
};

const addTools = (server: McpServer): void => {
  const config = (name: string) => ({ description: name, inputSchema: z.object({}) });
  for (const [name, content] of Object.entries(CONTENTS))
    server.registerTool(name, config(name), async () => ({ content }));
  for (const [name, speak] of Object.entries(SPEAKING))
    server.registerTool(name, config(name), async (_args, ctx) => {
      await speak(ctx);
      return { content: [text('done')] };
    });
  server.registerTool('test_error_handling', config('test_error_handling'), async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
};

const addResources = (server: McpServer): void => {
  const plain = { description: 'a text', mimeType: 'text/plain' };
  for (const name of ['static-text', 'watched-resource'])
    server.registerResource(name, `test://${name}`, plain, async ({ href }) => ({
      contents: [{ uri: href, mimeType: 'text/plain', text: `This is ${name}.` }],
    }));
  const binary = { description: 'an image', mimeType: 'image/png' };
  server.registerResource('static-binary', 'test://static-binary', binary, async ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: PNG }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const json = { description: 'an item', mimeType: 'application/json' };
  server.registerResource('template', template, json, async ({ href }, { id }) => ({
    contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify({ id }) }],
  }));
  server.server.setRequestHandler('resources/subscribe', async () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}));
};

const prompted = (...content: Content[]): GetPromptResult => ({
  messages: content.map((said) => ({ role: 'user', content: said })),
});

const addPrompts = (server: McpServer): void => {
  const config = (name: string) => ({ description: name });
  server.registerPrompt('test_simple_prompt', config('a text'), () => prompted(text('This is a simple prompt.')));
  server.registerPrompt('test_prompt_with_image', config('an image'), () => prompted(image, text('What is this?')));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      ...config('two arguments'),
      argsSchema: z.object({ arg1: completable(z.string(), (begun) => [`${begun}ed`]), arg2: z.string() }),
    },
    ({ arg1, arg2 }) => prompted(text(`arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...config('a resource'), argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => prompted(embedded(resourceUri), text('What does it say?')),
  );
};

const CAPABILITIES = {
  tools: { listChanged: false },
  resources: { listChanged: false, subscribe: true },
  prompts: { listChanged: false },
  completions: {},
  logging: {},
};

/**
 * What the protocol's conformance suite calls, in place of our tools. The tools by which a server asks its client over
 * a session's stream are missing, since the endpoint keeps no sessions.
 */
export const CONFORMANCE_FIXTURES: StandIn = {
  capabilities: CAPABILITIES,
  server: () => {
    const server = new McpServer(SERVER_INFO, {
      capabilities: CAPABILITIES,
      requestState: { verify: STATE.verify },
    });
    addTools(server);
    addInputFixtures(server);
    addResources(server);
    addPrompts(server);
    return server;
  },
  streams: ({ method, params }) =>
    method === 'tools/call' && Object.hasOwn(SPEAKING, String((params as { name?: unknown }).name)),
};
