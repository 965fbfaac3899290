// @night: what a span holds has tests beside the tracer; this one follows a call through a running system.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { exported } from '../support/collector.js';
import { aBrand, ask, eventually, keptStack, type Stack, secretOf } from '../support/stack.js';

type Span = { traceId: string; spanId: string; parentId: string; name: string };

/** The fields of one protobuf message, as their raw bytes; only what OTLP's spans need. */
function* fieldsOf(message: Buffer): Generator<[number: number, value: Buffer]> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const wire = tag & 7;
    if (wire === 0) varint();
    const length = wire === 2 ? varint() : wire === 1 ? 8 : wire === 5 ? 4 : 0;
    yield [tag >> 3, message.subarray(at, at + length)];
    at += length;
  }
}

const inside = (message: Buffer, field: number): Buffer[] =>
  [...fieldsOf(message)].filter(([number]) => number === field).map(([, value]) => value);

/**
 * ExportTraceServiceRequest: resource_spans 1, scope_spans 2, spans 2; of a span trace_id 1, span_id 2, parent 4, name
 * 5.
 */
const spansOf = (request: Buffer): Span[] =>
  inside(request, 1)
    .flatMap((resource) => inside(resource, 2))
    .flatMap((scope) => inside(scope, 2))
    .map((span) => {
      const [trace, id, parent, name] = [1, 2, 4, 5].map((field) => inside(span, field)[0] ?? Buffer.alloc(0));
      return {
        traceId: trace?.toString('hex') ?? '',
        spanId: id?.toString('hex') ?? '',
        parentId: parent?.toString('hex') ?? '',
        name: name?.toString() ?? '',
      };
    });

/**
 * One REST call is one trace down to the services that answer it, exported over OTLP by every process
 * (docs/performance.md#tracing).
 */
describe('the trace of a call', () => {
  const received: Span[] = [];
  let read = 0;
  const spans = (): Span[] => {
    for (const body of exported.slice(read)) received.push(...spansOf(body));
    read = exported.length;
    return received;
  };
  let stack: Stack;
  let key: string;

  beforeAll(async () => {
    stack = await keptStack('observed');
    key = secretOf((await aBrand(stack)).live, 'full');
  }, 120_000);

  it('continues the trace of the caller over the bus to each service, its statements and the events it causes', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const started = await ask(
      stack,
      key,
      'create_campaign',
      {
        goal: 'launch',
        product: 'Orbit',
        moment: 'It goes live',
        window_start: day(3),
        window_end: day(9),
        budget_usd: 900,
      } as never,
      { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    );
    expect(started.status).toBe(201);

    const own = () => spans().filter((span) => span.traceId === traceId);
    const parentOf = (span: Span | undefined) => own().find((one) => one.spanId === span?.parentId);
    const chainOf = (name: string): string[] => {
      const chain: string[] = [];
      for (let span = own().find((one) => one.name === name); span !== undefined; span = parentOf(span))
        chain.unshift(span.name);
      return chain;
    };
    // Each process sends its own spans, a service often before the edge.
    const last = ['plan_candidates', 'event plan.changed', 'updateOne plan_creators', 'insertMany outbox'];
    await eventually(
      () => ask(stack, null, 'network_facts', {}),
      () => last.every((name) => chainOf(name)[0] === 'POST /api/v1/campaigns'),
      15_000,
    );
    expect(chainOf('plan_candidates')).toEqual([
      'POST /api/v1/campaigns',
      'bus create_campaign',
      'create_campaign',
      'bus plan_candidates',
      'plan_candidates',
    ]);
    const operation = ['POST /api/v1/campaigns', 'bus create_campaign', 'create_campaign'];
    expect(chainOf('insertMany outbox')).toEqual([...operation, 'insertMany outbox']);
    // Consumers of its events commit as well.
    const commits = own().filter(({ name }) => name === 'commitTransaction');
    expect(commits.map((span) => parentOf(span)?.name)).toContain('create_campaign');
    expect(chainOf('event plan.changed')).toEqual([...operation, 'event plan.changed']);
    expect(chainOf('updateOne plan_creators')).toEqual([...operation, 'event plan.changed', 'updateOne plan_creators']);
    expect(own().find((span) => span.name === 'POST /api/v1/campaigns')?.parentId).toBe('00f067aa0ba902b7');
  }, 60_000);

  it('starts a new trace for a caller without one, at the configured rate', async () => {
    const earlier = spans().length;
    const later = () => spans().slice(earlier);
    expect((await ask(stack, key, 'inventory', {})).status).toBe(200);
    const edgeOf = (served: Span) =>
      later().find(({ name, traceId }) => name === 'GET /api/v1/inventory' && traceId === served.traceId);
    const edge = () =>
      later()
        .filter(({ name }) => name === 'inventory')
        .flatMap((served) => edgeOf(served) ?? [])[0];
    await eventually(
      () => ask(stack, null, 'network_facts', {}),
      () => edge() !== undefined,
      15_000,
    );
    expect(edge()).toMatchObject({ parentId: '' });
  }, 60_000);
});
