import 'reflect-metadata';
import { Controller, Get, Inject, Module, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type ClientProxy, ClientsModule, Transport } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MongoClient } from 'mongodb';
import { firstValueFrom } from 'rxjs';
import { accessLog, headersOf, isRefused, openKeys } from './duties.js';

/**
 * The reference `stock`: Nest on Fastify with Nest's own NATS client in front of Nest's own NATS server. It does what
 * `mono` does, with one key statement per request.
 *
 *   node stock-gateway.js <port> <mongodb uri> <database> <pepper base64> <nats url> <user> <password>
 */
const [port = '0', uri = '', database = '', pepper = '', servers = '', user = '', pass = ''] = process.argv.slice(2);

const client = await MongoClient.connect(uri, { writeConcern: { w: 'majority', journal: true }, maxPoolSize: 64 });
const admit = openKeys(client.db(database).collection('keys'), Buffer.from(pepper, 'base64'), 'one');

const REFUSED = { error: { code: 'rate_limited' } };

@Controller('api/v1')
class Reads {
  constructor(@Inject('STOCK') private readonly service: ClientProxy) {}

  @Get('inventory')
  inventory(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<unknown> {
    return this.serve('stock.inventory', request, reply);
  }

  @Get('creators')
  creators(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<unknown> {
    return this.serve('stock.creators', request, reply);
  }

  private async serve(pattern: string, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const started = performance.now();
    const key = await admit(request.headers.authorization);
    if (key === null) {
      void reply.code(401);
      return { error: { code: 'unauthorized', message: 'No key.' } };
    }
    const headers = headersOf(key);
    void reply.headers(headers);
    const body = isRefused(key)
      ? REFUSED
      : await firstValueFrom(
          this.service.send<object>(pattern, { ws: key.ws, key_id: key.key_id, seen_at: key.seen_at }),
        );
    const refused = body === REFUSED || 'refused' in body;
    void reply.code(refused ? 429 : 200);
    accessLog.info(
      {
        request_id: headers['x-request-id'],
        method: request.method,
        route: request.routeOptions.url,
        status: refused ? 429 : 200,
        duration_ms: performance.now() - started,
      },
      'request',
    );
    return body;
  }
}

@Module({
  imports: [
    ClientsModule.register([{ name: 'STOCK', transport: Transport.NATS, options: { servers: [servers], user, pass } }]),
  ],
  controllers: [Reads],
})
class Stock {}

const app = await NestFactory.create<NestFastifyApplication>(Stock, new FastifyAdapter(), { logger: false });
await app.listen(Number(port), '127.0.0.1');
process.send?.('ready');
