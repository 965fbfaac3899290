import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, type MicroserviceOptions, Payload, Transport } from '@nestjs/microservices';
import { MongoClient } from 'mongodb';
import type { Admitted } from './duties.js';
import { creatorsOn, listing } from './listing.js';

/**
 * The service of the reference `stock`: Nest's own NATS server, which encodes its answers from values in memory.
 *
 *   node stock-service.js <mongodb uri> <database> <nats url> <user> <password>
 */
const [uri = '', database = '', servers = '', user = '', pass = ''] = process.argv.slice(2);

const client = await MongoClient.connect(uri, { writeConcern: { w: 'majority', journal: true }, maxPoolSize: 64 });
const db = client.db(database);
const answers = new Map(
  (await db.collection<{ _id: string; json: string }>('answers').find().toArray()).map((row) => [row._id, row.json]),
);
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

@Module({ controllers: [Answers] })
class Stock {}

const app = await NestFactory.createMicroservice<MicroserviceOptions>(Stock, {
  logger: false,
  transport: Transport.NATS,
  options: { servers: [servers], user, pass, queue: 'stock' },
});
await app.listen();
process.send?.('ready');
