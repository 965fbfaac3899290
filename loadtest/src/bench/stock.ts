import 'reflect-metadata';
import { Controller, Get, Inject, Module, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type ClientProxy,
  ClientsModule,
  MessagePattern,
  type MicroserviceOptions,
  Payload,
  Transport,
} from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MongoClient } from 'mongodb';
import { firstValueFrom } from 'rxjs';
import { type Admitted, openKeys, served } from './duties.js';
import { answersOf, creatorsOn, listing } from './listing.js';

/**
 * The reference `stock`: Nest on Fastify with Nest's own NATS client, or, without a port, Nest's own NATS server behind
 * it, which encodes its answers from values in memory. It does what `mono` does, with one key statement per request.
 *
 *   node stock.js <port> <mongodb uri> <database> <pepper base64> <nats url> <user> <password>
 */
const [port = '', uri = '', database = '', pepper = '', servers = '', user = '', pass = ''] = process.argv.slice(2);

const client = await MongoClient.connect(uri, { writeConcern: { w: 'majority', journal: true }, maxPoolSize: 64 });
const db = client.db(database);
const bus = { servers: [servers], user, pass };

@Controller('api/v1')
class Reads {
  private readonly admit = openKeys(db.collection('keys'), Buffer.from(pepper, 'base64'), 'one');

  constructor(@Inject('STOCK') private readonly service: ClientProxy) {}

  @Get('inventory')
  inventory(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<unknown> {
    return this.serve('stock.inventory', request, reply);
  }

  @Get('creators')
  creators(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<unknown> {
    return this.serve('stock.creators', request, reply);
  }

  private serve(pattern: string, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    return served(request, reply, this.admit, async (key) => {
      const sent = { ws: key.ws, key_id: key.key_id, seen_at: key.seen_at };
      const body = await firstValueFrom(this.service.send<object>(pattern, sent));
      return 'refused' in body ? null : body;
    });
  }
}

const answers = await answersOf(db);
const inventory = JSON.parse(answers.get('inventory') ?? '{}') as unknown;
const page = JSON.parse(answers.get('creators') ?? '{}') as unknown;
const list = listing(db, creatorsOn(answers.get('creators')));

@Controller()
class Answers {
  @MessagePattern('stock.inventory')
  inventory(): unknown {
    return inventory;
  }

  @MessagePattern('stock.creators')
  async creators(@Payload() key: Admitted): Promise<unknown> {
    // The bus carries dates as text.
    return (await list({ ...key, seen_at: new Date(key.seen_at) })) ? page : { refused: true };
  }
}

@Module({
  imports: [ClientsModule.register([{ name: 'STOCK', transport: Transport.NATS, options: bus }])],
  controllers: [Reads],
})
class Gateway {}

@Module({ controllers: [Answers] })
class Service {}

if (port === '') {
  const options = { logger: false, transport: Transport.NATS, options: { ...bus, queue: 'stock' } } as const;
  await (await NestFactory.createMicroservice<MicroserviceOptions>(Service, options)).listen();
} else {
  const app = await NestFactory.create<NestFastifyApplication>(Gateway, new FastifyAdapter(), { logger: false });
  await app.listen(Number(port), '127.0.0.1');
}
process.send?.('ready');
