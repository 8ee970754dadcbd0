import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { Certificate } from '@/lib/infra/tls/certificate';
import { hasHaproxy, startHaproxy } from '@/lib/infra/testing/haproxy';
import { createNodeCertificates } from '@/lib/infra/testing/node-certificates';
import { startIngest } from './testing/ingest-harness';
import { RtmpClient } from './testing/rtmp-client';

const START = 'NetStream.Publish.Start';
const trustedProxies = ['127.0.0.1/32'];
const certificates = await createNodeCertificates();
afterAll(() => certificates.remove());

describe.skipIf(!hasHaproxy)('RTMP behind HAProxy (apt-get install haproxy)', () => {
  it.each(['send-proxy', 'send-proxy-v2'] as const)(
    'limits connections by the address of the encoder, with %s',
    async (header) => {
      await using ingest = await startIngest({ trustedProxies, limits: { connectionsPerAddress: 1 } });
      await using haproxy = await startHaproxy(ingest.port, header);
      const publish = async (from: string, key: string): Promise<RtmpClient> => {
        const client = await RtmpClient.open(haproxy.port, from);
        client.publish(key);
        return client;
      };
      const firstClient = await publish('127.0.0.2', 'good-1');
      await firstClient.waitForText(START);
      const secondClient = await publish('127.0.0.2', 'good-2');
      await secondClient.waitForClose();
      const otherClient = await publish('127.0.0.3', 'good-3');
      await otherClient.waitForText(START);
      expect(ingest.publishes.map(({ request }) => request.ip)).toEqual(['127.0.0.2', '127.0.0.3']);
    },
  );

  it('sees the address of the encoder over TLS', async () => {
    const { cert, key } = certificates.files;
    await using ingest = await startIngest({ trustedProxies, certificate: new Certificate({ cert, key }) });
    await using haproxy = await startHaproxy(ingest.server.rtmpsPort ?? 0, 'send-proxy-v2');
    const socket = connect({ port: haproxy.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    const secure = connectTls({ socket, rejectUnauthorized: false });
    await once(secure, 'secureConnect');
    const client = RtmpClient.fromSocket(secure);
    client.publish('good-1');
    await client.waitForText(START);
    expect(ingest.publishes[0]?.request.ip).toBe('127.0.0.2');
  });
});
