import { describe, expect, it } from 'vitest';
import { type Ingest, startIngest } from './testing/ingest-harness';
import { RtmpClient } from './testing/rtmp-client';

const START = 'NetStream.Publish.Start';
const BAD_NAME = 'NetStream.Publish.BadName';
const GUESSES = 'many unknown stream keys from one address';
const trustedProxies = ['127.0.0.1/32'];

const textHeader = (client: string): Buffer => Buffer.from(`PROXY TCP4 ${client} 127.0.0.1 5000 1935\r\n`);
const binaryHeader = (client: string): Buffer => {
  const addresses = Buffer.from([...client.split('.').map(Number), 127, 0, 0, 1, 0x13, 0x88, 7, 0x8f]);
  return Buffer.concat([Buffer.from('0d0a0d0a000d0a515549540a2111000c', 'hex'), addresses]);
};

/** Publishes like a client behind a load balancer at 127.0.0.1. */
async function publishFrom(ingest: Ingest, header: Buffer, key: string): Promise<RtmpClient> {
  const client = await RtmpClient.open(ingest.port);
  client.write(header);
  client.publish(key);
  return client;
}

describe('behind a trusted load balancer', () => {
  it.each([
    ['version 1', textHeader('192.0.2.1'), '192.0.2.1'],
    ['version 2', binaryHeader('192.0.2.1'), '192.0.2.1'],
    ['no header', Buffer.alloc(0), '127.0.0.1'],
    ['a health check without end', Buffer.from('PROXY UNKNOWN\r\n'), '127.0.0.1'],
  ])('identifies the encoder: %s', async (_name, header, ip) => {
    await using ingest = await startIngest({ trustedProxies });
    const client = await publishFrom(ingest, header, 'good-key');
    await client.waitForText(START);
    expect(ingest.publishes[0]).toMatchObject({ request: { ip }, connection: { ip } });
  });

  it('accepts a header and a publish in one packet', async () => {
    await using ingest = await startIngest({ trustedProxies });
    const client = await RtmpClient.open(ingest.port);
    client.socket.cork();
    client.write(textHeader('192.0.2.1'));
    client.publish('good-key');
    client.socket.uncork();
    await client.waitForText(START);
    expect(ingest.publishes[0]?.request.ip).toBe('192.0.2.1');
  });

  it('limits the publishers of each encoder address', async () => {
    await using ingest = await startIngest({ trustedProxies, limits: { connectionsPerAddress: 1 } });
    const firstClient = await publishFrom(ingest, textHeader('192.0.2.1'), 'good-1');
    await firstClient.waitForText(START);
    const secondClient = await publishFrom(ingest, textHeader('192.0.2.1'), 'good-2');
    await secondClient.waitForClose();
    const otherClient = await publishFrom(ingest, binaryHeader('192.0.2.2'), 'good-3');
    await otherClient.waitForText(START);
    expect(ingest.publishes.map(({ request }) => request.ip)).toEqual(['192.0.2.1', '192.0.2.2']);
    expect(ingest.logLines.join()).toContain('"ip":"192.0.2.1","open":1');
  });

  it('counts wrong keys for the encoder that sent them', async () => {
    await using ingest = await startIngest({ trustedProxies, limits: { maxWrongKeys: 1 } });
    for (const [client, key] of [
      ['192.0.2.1', 'wrong-1'],
      ['192.0.2.2', 'wrong-2'],
      ['192.0.2.1', 'wrong-3'],
    ] as const) {
      const publisher = await publishFrom(ingest, textHeader(client), key);
      await publisher.waitForText(BAD_NAME);
    }
    const guesses = ingest.logLines.filter((line) => line.startsWith(GUESSES));
    expect(guesses).toEqual([`${GUESSES} {"ip":"192.0.2.1"}`]);
    expect(ingest.logLines.join()).not.toContain('"ip":"127.0.0.1"');
  });

  it('ends a connection with an invalid header, and serves others', async () => {
    await using ingest = await startIngest({ trustedProxies });
    const rejectedClient = await publishFrom(ingest, Buffer.from('PROXY TCP4 invalid\r\n'), 'good-1');
    await rejectedClient.waitForClose();
    const admittedClient = await publishFrom(ingest, textHeader('192.0.2.1'), 'good-2');
    await admittedClient.waitForText(START);
  });

  it('stops although a header is incomplete', async () => {
    const ingest = await startIngest({ trustedProxies });
    const client = await RtmpClient.open(ingest.port);
    client.write(Buffer.from('PROXY TCP4'));
    await ingest.server.close();
    await client.waitForClose();
  });
});

it('rejects the header of a client that is not trusted', async () => {
  await using ingest = await startIngest({ trustedProxies: ['192.0.2.0/24'] });
  const client = await publishFrom(ingest, textHeader('192.0.2.1'), 'good-key');
  await client.waitForClose();
  expect(ingest.publishes).toEqual([]);
  expect(ingest.logLines.join()).toContain('not RTMP version 3');
});
