import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { mongo } from 'mongoose';

/** What is stored often and read seldom, in a fraction of its bytes (docs/adr/0028-one-key-cannot-fill-the-disk.md). */
export const packed = (bytes: Uint8Array): mongo.Binary => new mongo.Binary(deflateRawSync(bytes));

export const unpacked = (stored: Pick<mongo.Binary, 'buffer'>): Buffer => inflateRawSync(stored.buffer);

export const packedJson = (value: unknown): mongo.Binary => packed(Buffer.from(JSON.stringify(value)));

export const unpackedJson = <Value>(stored: Pick<mongo.Binary, 'buffer'>): Value =>
  JSON.parse(unpacked(stored).toString()) as Value;
