import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { parsePullSource, type RtspSource } from '@/lib/core/streams/pull/pull-source';
import { openRtspRelay, type RtspRelay } from './rtsp-relay';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** Starts a source that responds to each request with the result of `answer`, and opens a relay to it. */
async function openRelayTo(answer: (request: string) => string, userInfo = 'ada:secret@') {
  const requests: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      requests.push(chunk.toString('latin1'));
      socket.write(answer(chunk.toString('latin1')).replaceAll('\n', '\r\n'), 'latin1');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const source = parsePullSource(`rtsp://${userInfo}127.0.0.1:${port}/cam?x=1`) as RtspSource;
  const sourceSocket = connect(port, '127.0.0.1');
  await once(sourceSocket, 'connect');
  const relay = await openRtspRelay(sourceSocket, source);
  const ffmpegSocket = connect(Number(new URL(relay.url.replace('rtsp:', 'http:')).port), '127.0.0.1');
  ffmpegSocket.on('error', () => undefined);
  closing.push(() => {
    relay.close();
    ffmpegSocket.destroy();
    server.close();
  });
  return { relay, ffmpegSocket, port, requests };
}

const sendRequest = (ffmpegSocket: Socket, { url }: RtspRelay, method = 'DESCRIBE') =>
  ffmpegSocket.write(`${method} ${url} RTSP/1.0\r\nCSeq: 1\r\n\r\n`);
const okResponse = 'RTSP/1.0 200 OK\nCSeq: 1\nContent-Length: 3\n\nv=0';

async function readResponse(ffmpegSocket: Socket): Promise<string> {
  const [chunk] = (await once(ffmpegSocket, 'data')) as [Buffer];
  return chunk.toString('latin1');
}

test('the source sees its own address, and ffmpeg gets no user name or password', async () => {
  const { relay, ffmpegSocket, port, requests } = await openRelayTo(() => okResponse);
  expect(relay.url).toMatch(/^rtsp:\/\/127\.0\.0\.1:\d+\/cam\?x=1$/);
  sendRequest(ffmpegSocket, relay);
  expect(await readResponse(ffmpegSocket)).toBe(okResponse.replaceAll('\n', '\r\n'));
  expect(requests).toEqual([`DESCRIBE rtsp://127.0.0.1:${port}/cam?x=1 RTSP/1.0\r\nCSeq: 1\r\n\r\n`]);
});

test('the relay answers a challenge with Digest', async () => {
  const challenge = 'Digest realm="a \\"cam\\"", nonce="n1", qop="auth"'.replaceAll('\\"', "'");
  const { relay, ffmpegSocket, port, requests } = await openRelayTo((request) =>
    request.includes('Authorization')
      ? okResponse
      : `RTSP/1.0 401 No\nCSeq: 1\nWWW-Authenticate: ${challenge}\n\n`,
  );
  sendRequest(ffmpegSocket, relay);
  expect(await readResponse(ffmpegSocket)).toContain('200 OK');
  const [, header = ''] = /Authorization: (.*)\r\n/.exec(requests[1] ?? '') ?? [];
  const clientNonce = /cnonce="(.*?)"/.exec(header)?.[1] ?? '';
  const uri = `rtsp://127.0.0.1:${port}/cam?x=1`;
  const response = md5(
    `${md5("ada:a 'cam':secret")}:n1:00000001:${clientNonce}:auth:${md5(`DESCRIBE:${uri}`)}`,
  );
  expect(header).toContain(`response="${response}"`);
  expect(relay.finding).toBeNull();
});

test('wrong credentials are tried once', async () => {
  const { relay, ffmpegSocket, requests } = await openRelayTo(
    () => 'RTSP/1.0 401 No\nCSeq: 1\nWWW-Authenticate: Basic realm="x"\n\n',
  );
  sendRequest(ffmpegSocket, relay);
  expect(await readResponse(ffmpegSocket)).toContain('401');
  expect(requests).toHaveLength(2);
  expect(requests[1]).toContain(`Authorization: Basic ${Buffer.from('ada:secret').toString('base64')}`);
  expect(relay.finding).toEqual({ outcome: 'rejected', detail: 'RTSP 401' });
});

test('a redirect never reaches ffmpeg', async () => {
  const { relay, ffmpegSocket } = await openRelayTo(
    () => 'RTSP/1.0 302 Moved\nCSeq: 1\nLocation: rtsp://10.0.0.1/cam\n\n',
  );
  const chunks: Buffer[] = [];
  ffmpegSocket.on('data', (chunk: Buffer) => chunks.push(chunk));
  sendRequest(ffmpegSocket, relay);
  await once(ffmpegSocket, 'close');
  expect(chunks).toEqual([]);
  expect(relay.finding).toEqual({ outcome: 'redirected' });
});

test('media frames pass between messages, and a malformed message ends the connection', async () => {
  const frame = '$\x01\x00\x04abcd';
  let count = 0;
  const { relay, ffmpegSocket } = await openRelayTo(() => {
    count += 1;
    return count === 1 ? `${frame}${okResponse}${frame}` : 'RTSP/1.0 200 OK\nContent-Length: 99999999\n\n';
  });
  const receivedText = () => Buffer.concat(chunks).toString('latin1');
  const chunks: Buffer[] = [];
  ffmpegSocket.on('data', (chunk: Buffer) => chunks.push(chunk));
  sendRequest(ffmpegSocket, relay);
  await expect.poll(receivedText).toBe(`${frame}${okResponse.replaceAll('\n', '\r\n')}${frame}`);
  sendRequest(ffmpegSocket, relay);
  await once(ffmpegSocket, 'close');
  expect(relay.finding).toMatchObject({ outcome: 'not_readable' });
});
