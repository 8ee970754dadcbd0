import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatTargetMessage } from '@/lib/core/targets/target-finding';
import { parseMuxedUrl } from '@/lib/core/targets/target-url';
import { openEgressSockets } from '@/lib/infra/egress/egress-socket';
import { startTlsReceiver } from '@/lib/infra/testing/tls-receiver';
import { startIngest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import { scratchFolder } from '@/media-worker/kit/process/scratch-folder';
import { neverRead, startRawTarget } from './testing/raw-target';
import { tryTarget } from './try-target';

const loopback = openEgressSockets({ allowCidrs: ['127.0.0.1/32'] });
/** Timeouts that no machine reaches. */
const limits = { connectMs: 240_000, publishMs: 240_000 };

async function testTarget(url: string, options: Partial<Parameters<typeof tryTarget>[0]> = {}) {
  const destination = parseMuxedUrl(url);
  if (typeof destination === 'string') throw new Error(destination);
  const finding = await tryTarget({
    destination,
    limits,
    sockets: loopback,
    isOwn: () => Promise.resolve(false),
    ...options,
  });
  expect(readdirSync(scratchFolder()).filter((name) => name.startsWith('options-'))).toEqual([]);
  return { ...finding, message: formatTargetMessage(finding, destination) };
}

describe('an RTMP target', () => {
  test('that accepts the stream gets a publish without media, which is ended', async () => {
    await using ingest = await startIngest();
    const { outcome } = await testTarget(`rtmp://127.0.0.1:${ingest.port}/live/good-key?x=1`);
    expect(outcome).toBe('accepted');
    const [publisher] = ingest.publishes;
    expect(publisher?.request).toMatchObject({ app: 'live', streamKey: 'good-key' });
    expect(await publisher?.sink.waitForEnd()).toBe('finished');
    expect(publisher?.sink.packets).toEqual([]);
  });

  test('that rejects the key is reported with its message, without the key', async () => {
    await using ingest = await startIngest();
    const { outcome, message } = await testTarget(`rtmp://127.0.0.1:${ingest.port}/live/bad-secret-key`);
    expect(outcome).toBe('publish_rejected');
    expect(message).toMatch(/^127\.0\.0\.1 rejected the stream: .+\. Copy the stream key again/);
    expect(message).not.toContain('secret');
  });

  test('that closes the connection at the publish request is reported as rejecting it', async () => {
    const target = await startRawTarget((socket) => {
      let receivedCount = 0;
      socket.on('data', (chunk: Buffer) => {
        // The client sends C0 and C1, then C2, then a command.
        if (receivedCount < 1_537 && receivedCount + chunk.length >= 1_537)
          socket.write(Buffer.alloc(3_073, 3));
        receivedCount += chunk.length;
        if (receivedCount > 3_073) socket.end();
      });
    });
    expect(await testTarget(`rtmp://127.0.0.1:${target.port}/live/key`)).toMatchObject({
      outcome: 'publish_rejected',
      detail: 'it closed the connection',
    });
    await target.close();
  });

  test('that is a server of another protocol fails the handshake', async () => {
    const target = await startRawTarget((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    const { outcome } = await testTarget(`rtmp://127.0.0.1:${target.port}/live/key`);
    expect(outcome).toBe('handshake_failed');
    await target.close();
  });

  test('that accepts the connection and sends nothing is reported as not responding', async () => {
    const target = await startRawTarget(neverRead);
    const { outcome } = await testTarget(`rtmp://127.0.0.1:${target.port}/live/key`, {
      limits: { ...limits, publishMs: 500 },
    });
    expect(outcome).toBe('no_answer');
    await target.close();
  });

  test('whose port is closed is reported as refusing the connection', async () => {
    const target = await startRawTarget(() => undefined);
    await target.close();
    const { outcome } = await testTarget(`rtmp://127.0.0.1:${target.port}/live/key`);
    expect(outcome).toBe('connection_refused');
  });

  test('whose address is private is never connected to', async () => {
    const target = await startRawTarget(() => undefined);
    const sockets = openEgressSockets({ allowCidrs: [] });
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]']) {
      const { outcome } = await testTarget(`rtmp://${host}:${target.port}/live/key`, { sockets });
      expect(outcome).toBe('address_not_public');
    }
    expect(target.connectionCount).toBe(0);
    await target.close();
  });

  test.each(['rtmp', 'rtmps', 'srt'])(
    'whose host name is private does not reveal over %s which internal names exist',
    async (scheme) => {
      const target = await startRawTarget(() => undefined);
      const url = `${scheme}://intranet.example.com:${target.port}/live/key`;
      const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
      const record = (address: string, family = 4) => ({ address, family });
      const lookupOf =
        (...addresses: ReturnType<typeof record>[]) =>
        () =>
          Promise.resolve(addresses);
      const findings = await Promise.all(
        [
          ...['ENOTFOUND', 'ENODATA', 'EAI_AGAIN', 'EAI_FAIL'].map(failing),
          lookupOf(),
          lookupOf(record('127.0.0.1')),
          lookupOf(record('10.1.2.3')),
          lookupOf(record('fd00::1', 6)),
          lookupOf(record('203.0.113.5'), record('192.168.0.1')),
        ].map((resolve) => testTarget(url, { sockets: openEgressSockets({ allowCidrs: [], resolve }) })),
      );
      // Host names that always resolve to internal addresses are rejected without a lookup.
      const failingSockets = openEgressSockets({ allowCidrs: [], resolve: failing('ENOTFOUND') });
      for (const host of ['localhost', 'printer.local', 'database'])
        findings.push(
          await testTarget(url.replace('intranet.example.com', host), { sockets: failingSockets }),
        );
      for (const { outcome, detail, message } of findings) {
        expect([outcome, detail]).toEqual(['name_not_found', undefined]);
        expect(message).toMatch(/^[\w.]+ has no public address\. Check the host name/);
      }
      expect(target.connectionCount).toBe(0);
      await target.close();
    },
  );

  test('that is an ingest of this installation is reported', async () => {
    const target = await startRawTarget(() => undefined);
    const { outcome } = await testTarget(`rtmp://127.0.0.1:${target.port}/live/key`, {
      isOwn: () => Promise.resolve(true),
    });
    expect(outcome).toBe('own_ingest');
    await target.close();
  });
});

describe('an RTMPS target', () => {
  test('whose certificate is not trusted is reported', async () => {
    const receiver = await startTlsReceiver();
    const { outcome, message } = await testTarget(`rtmps://127.0.0.1:${new URL(receiver.url).port}/live/key`);
    expect(outcome).toBe('tls_failed');
    expect(message).toContain('its certificate is self-signed');
    await receiver.close();
  });

  test('that does not use TLS is reported', async () => {
    const target = await startRawTarget((socket) => socket.end('220 hello\r\n'));
    const { outcome } = await testTarget(`rtmps://127.0.0.1:${target.port}/live/key`);
    expect(outcome).toBe('tls_failed');
    await target.close();
  });
});

test('an SRT target that is an ingest of this installation is reported', async () => {
  const checkedAddresses: unknown[] = [];
  const { outcome } = await testTarget('srt://127.0.0.1:9000?streamid=key', {
    isOwn: (address) => {
      checkedAddresses.push(address);
      return Promise.resolve(true);
    },
  });
  expect(outcome).toBe('own_ingest');
  expect(checkedAddresses).toEqual([{ address: '127.0.0.1', port: 9_000 }]);
});

test('an SRT target is accepted if it listens, and reported as not responding if it does not', async () => {
  const { spawn } = await import('node:child_process');
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const url = `srt://127.0.0.1:${port}?passphrase=sesame-open&streamid=one`;
  expect((await testTarget(url)).outcome).toBe('no_answer');
  const listener = spawn('ffmpeg', [
    ...['-v', 'error', '-i', `srt://127.0.0.1:${port}?mode=listener&passphrase=sesame-open`],
    ...['-c', 'copy', '-f', 'framemd5', '-'],
  ]);
  try {
    const outcome = async () => (await testTarget(url)).outcome;
    // Wait until ffmpeg listens.
    await expect.poll(outcome, { timeout: 60_000, interval: 500 }).toBe('accepted');
  } finally {
    listener.kill('SIGKILL');
  }
});
