import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { Certificate } from '@/lib/infra/tls/certificate';
import { createNodeCertificates } from '@/lib/infra/testing/node-certificates';
import { type Ingest, startIngest } from './testing/ingest-harness';
import { RtmpClient } from './testing/rtmp-client';

const START = 'NetStream.Publish.Start';
const trustedProxies = ['127.0.0.1/32'];
const { files, ...certificates } = await createNodeCertificates();
afterAll(() => certificates.remove());

type Options = Parameters<typeof startIngest>[0];

const startRtmpsIngest = (options: Options = {}): Promise<Ingest> =>
  startIngest({ ...options, certificate: new Certificate({ cert: files.cert, key: files.key }) });

const rtmpsPortOf = ({ server }: Ingest): number => server.rtmpsPort ?? 0;

/**
 * Connects an encoder with TLS.
 * @param textBeforeTls text sent before TLS begins
 */
async function connectEncoder(
  port: number,
  { from = '127.0.0.1', textBeforeTls = '' } = {},
): Promise<RtmpClient> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (textBeforeTls) socket.write(textBeforeTls);
  const tlsSocket = connectTls({ socket, rejectUnauthorized: false });
  await once(tlsSocket, 'secureConnect');
  return RtmpClient.fromSocket(tlsSocket);
}

async function publish(port: number, key: string, options = {}): Promise<RtmpClient> {
  const client = await connectEncoder(port, options);
  client.publish(key);
  return client;
}

describe('RTMPS', () => {
  it('admits a publish like RTMP does, on its own port', async () => {
    await using ingest = await startRtmpsIngest();
    const secureClient = await publish(rtmpsPortOf(ingest), 'good-1');
    await secureClient.waitForText(START);
    const plainClient = await RtmpClient.connectAndPublish(ingest.port, 'good-2');
    await plainClient.waitForText(START);
    expect(ingest.publishes.map(({ request }) => request.streamKey)).toEqual(['good-1', 'good-2']);
    expect(ingest.server.connectionCount()).toBe(2);
  });

  it('rejects a wrong key', async () => {
    await using ingest = await startRtmpsIngest();
    const client = await publish(rtmpsPortOf(ingest), 'wrong');
    await client.waitForText('NetStream.Publish.BadName');
    await client.waitForClose();
  });

  it('counts connections of both ports together', async () => {
    await using ingest = await startRtmpsIngest({ limits: { connectionsPerAddress: 1 } });
    const rtmpClient = await RtmpClient.connectAndPublish(ingest.port, 'good-1');
    await rtmpClient.waitForText(START);
    const rtmpsClient = await publish(rtmpsPortOf(ingest), 'good-2');
    await rtmpsClient.waitForClose();
    const otherClient = await publish(rtmpsPortOf(ingest), 'good-3', { from: '127.0.0.2' });
    await otherClient.waitForText(START);
    expect(ingest.logLines.join()).toContain('connection rejected: the address has too many publishers');
  });

  it('reads a PROXY header before TLS', async () => {
    await using ingest = await startRtmpsIngest({ trustedProxies });
    const textBeforeTls = 'PROXY TCP4 192.0.2.1 127.0.0.1 5000 1936\r\n';
    const client = await publish(rtmpsPortOf(ingest), 'good-1', { textBeforeTls });
    await client.waitForText(START);
    expect(ingest.publishes[0]?.request.ip).toBe('192.0.2.1');
  });

  it('closes a connection without TLS, and serves others', async () => {
    await using ingest = await startRtmpsIngest();
    const plainClient = await RtmpClient.connectAndPublish(rtmpsPortOf(ingest), 'good-1');
    await plainClient.waitForClose();
    const secureClient = await publish(rtmpsPortOf(ingest), 'good-2');
    await secureClient.waitForText(START);
    expect(ingest.publishes.map(({ request }) => request.streamKey)).toEqual(['good-2']);
  });

  it('logs that an encoder speaks TLS on the port without TLS', async () => {
    await using ingest = await startRtmpsIngest();
    await expect(connectEncoder(ingest.port)).rejects.toThrow();
    await expect
      .poll(() => ingest.logLines.join(), { timeout: 60_000 })
      .toContain('TLS on the port without TLS');
  });

  it('stops although a handshake is incomplete, and ends publishes', async () => {
    const ingest = await startRtmpsIngest();
    const publishingClient = await publish(rtmpsPortOf(ingest), 'good-1');
    await publishingClient.waitForText(START);
    const halfOpenClient = await RtmpClient.open(rtmpsPortOf(ingest));
    halfOpenClient.write(Buffer.from([0x16, 3, 1]));
    await ingest.server.close();
    await Promise.all([publishingClient.waitForClose(), halfOpenClient.waitForClose()]);
    expect(await ingest.publishes[0]?.sink.waitForEnd()).toBe('cut');
  });
});
