import { describe, expect, it } from 'vitest';
import { label } from '@/media-worker/media/packets/testing/packets';
import { TsMuxer, VIDEO_PID } from '@/media-worker/media/mpegts/testing/ts-muxer';
import { rejections } from './handshake';
import { controlTypes, keyMaterialTypes } from './srt-packet';
import { SrtCaller } from './testing/srt-caller';
import { muxKeyframes, type SrtIngest, startSrtIngest } from './testing/srt-harness';

const passphrase = 'a-secret-phrase';
const receivedLabels = (ingest: SrtIngest) => ingest.publishes.at(-1)?.sink.packets.map(label);
const keyframeLabels = (count: number) => Array.from({ length: count }, (_, index) => `K${index * 40}`);

describe('a publish', () => {
  it('arrives complete although packets are lost, and ends with the shutdown', async () => {
    await using ingest = await startSrtIngest();
    await using caller = await SrtCaller.connect({ port: ingest.port, streamId: 'live/good-key' });
    expect(ingest.publishes[0]?.request).toMatchObject({
      app: 'live',
      streamKey: 'good-key',
      ip: '127.0.0.1',
    });
    for (const [index, message] of muxKeyframes(50).entries())
      caller.send(message, { isLost: index % 7 === 3 });
    await caller.whenAcknowledged();
    expect(ingest.server.connectionCount()).toBe(1);
    caller.shutdown();
    expect(await ingest.publishes[0]?.sink.waitForEnd()).toBe('finished');
    expect(receivedLabels(ingest)).toEqual(keyframeLabels(50));
    expect(ingest.server.connectionCount()).toBe(0);
    expect(ingest.logLines.at(-1)).toContain('"lost":7,"recovered":7,"dropped":0');
  });

  it('drops a frame with a gap that its continuity counter does not show', async () => {
    await using ingest = await startSrtIngest();
    await using caller = await SrtCaller.connect({ port: ingest.port, streamId: 'good-key' });
    const muxer = new TsMuxer();
    const picture = Buffer.concat([Buffer.from('0000000165', 'hex'), Buffer.alloc(7_000, 0x55)]);
    const frames = [0, 3_600, 7_200].map((pts) => muxer.pes({ pid: VIDEO_PID, data: picture, pts }));
    const stream = Buffer.concat([muxer.tables({ video: 0x1b }), ...frames]);
    // 16 TS packets of the second frame are lost, so the 4-bit continuity counter shows no gap.
    const messageBytes = 4 * 188;
    for (let offset = 0; offset < stream.length; offset += messageBytes)
      caller.send(stream.subarray(offset, offset + messageBytes), {
        isLost: offset >= 13 * messageBytes && offset < 17 * messageBytes,
      });
    caller.shutdown();
    await ingest.publishes[0]?.sink.waitForEnd();
    expect(receivedLabels(ingest)).toEqual(['K0', 'K80']);
  });

  it('delivers the packets after a gap when it ends', async () => {
    await using ingest = await startSrtIngest();
    await using caller = await SrtCaller.connect({ port: ingest.port, streamId: 'good-key' });
    const [tables, ...frames] = muxKeyframes(4);
    caller.send(tables ?? Buffer.alloc(0));
    for (const frame of frames) caller.send(frame, { isLost: frame === frames[1] });
    caller.shutdown();
    await ingest.publishes[0]?.sink.waitForEnd();
    expect(receivedLabels(ingest)).toEqual(['K0', 'K80', 'K120']);
  });

  it('continues past the last sequence number and the last timestamp', async () => {
    await using ingest = await startSrtIngest();
    const wraps = { initialSequence: 2 ** 31 - 5, firstTimestampUs: 2 ** 32 - 1_000 };
    await using caller = await SrtCaller.connect({ port: ingest.port, streamId: 'good-key', ...wraps });
    for (const [index, message] of muxKeyframes(12).entries())
      caller.send(message, { isLost: index % 4 === 1 });
    await caller.whenAcknowledged();
    expect(receivedLabels(ingest)).toEqual(keyframeLabels(12));
  });

  it('arrives complete over IPv6', async () => {
    await using ingest = await startSrtIngest({ host: '::1' });
    const server = { host: '::1', port: ingest.port };
    await using caller = await SrtCaller.connect({ ...server, streamId: 'good-key' });
    for (const message of muxKeyframes(3)) caller.send(message);
    await caller.whenAcknowledged();
    expect([receivedLabels(ingest), ingest.publishes[0]?.request.ip]).toEqual([keyframeLabels(3), '::1']);
  });

  it('sends a shutdown to a caller that is disconnected, and ignores its later packets', async () => {
    await using ingest = await startSrtIngest();
    await using caller = await SrtCaller.connect({ port: ingest.port, streamId: 'good-key' });
    ingest.publishes[0]?.connection.disconnect('replaced', 'a reason');
    await caller.waitUntil(() => caller.controlPackets.some(({ type }) => type === controlTypes.shutdown));
    for (const message of muxKeyframes(2)) caller.send(message);
    expect(ingest.publishes[0]?.sink.ends).toEqual(['replaced']);
    expect(ingest.server.connectionCount()).toBe(0);
  });

  it('is lost when its encoder goes silent', async () => {
    await using ingest = await startSrtIngest({ limits: { silenceTimeoutMs: 50 } });
    await using _caller = await SrtCaller.connect({ port: ingest.port, streamId: 'good-key' });
    expect(await ingest.publishes[0]?.sink.waitForEnd()).toBe('lost');
  });

  it('ends with the server, even while it waits for its admission', async () => {
    let rejectPublish = (): void => undefined;
    const decision = new Promise<null>((resolve) => (rejectPublish = () => resolve(null)));
    const ingest = await startSrtIngest({ admit: () => decision });
    const abortController = new AbortController();
    const callOptions = { port: ingest.port, streamId: 'good-key', signal: abortController.signal };
    const connecting = SrtCaller.connect(callOptions);
    await expect.poll(() => ingest.server.connectionCount()).toBe(1);
    await ingest.server.close();
    rejectPublish();
    expect(ingest.server.connectionCount()).toBe(0);
    abortController.abort();
    await expect(connecting).rejects.toThrow('the server did not answer');
  });
});

describe('encryption', () => {
  it.each([16, 24, 32] as const)('works with keys of %d bytes that change', async (keyBytes) => {
    await using ingest = await startSrtIngest({ passphrase });
    const callOptions = { port: ingest.port, streamId: 'good-key', passphrase, keyBytes };
    await using caller = await SrtCaller.connect(callOptions);
    const messages = muxKeyframes(20);
    for (const message of messages.slice(0, 10)) caller.send(message);
    caller.changeKey();
    await caller.waitUntil(() =>
      caller.controlPackets.some(({ subtype }) => subtype === keyMaterialTypes.response),
    );
    for (const message of messages.slice(10)) caller.send(message);
    await caller.whenAcknowledged();
    expect(receivedLabels(ingest)).toEqual(keyframeLabels(20));
  });

  it.each([
    ['another passphrase', passphrase, 'another-phrase', rejections.badPassphrase, 'is not the one of'],
    ['no passphrase', passphrase, undefined, rejections.passphraseRequired, 'does not encrypt'],
    [
      'a passphrase where the stream has none',
      undefined,
      passphrase,
      rejections.passphraseRequired,
      'has no SRT',
    ],
  ])(
    'rejects a caller with %s, with a message for the owner',
    async (_name, streamPassphrase, callerPassphrase, code, reason) => {
      await using ingest = await startSrtIngest(
        streamPassphrase === undefined ? {} : { passphrase: streamPassphrase },
      );
      const caller = callerPassphrase === undefined ? {} : { passphrase: callerPassphrase };
      const connecting = SrtCaller.connect({ port: ingest.port, streamId: 'good-key', ...caller });
      await expect(connecting).rejects.toThrow(`rejected: ${code}`);
      expect(ingest.rejections[0]).toContain(reason);
      expect(ingest.server.connectionCount()).toBe(0);
    },
  );

  it('drops and counts a packet that is not encrypted', async () => {
    await using ingest = await startSrtIngest({ passphrase });
    await using caller = await SrtCaller.connect({ port: ingest.port, streamId: 'good-key', passphrase });
    const datagram = Buffer.concat([Buffer.alloc(16), muxKeyframes(1)[0] ?? Buffer.alloc(0)]);
    datagram.writeUInt32BE(1_000, 0);
    datagram.writeUInt32BE(caller.socketIdOfServer, 12);
    caller.sendRaw(datagram);
    await caller.waitUntil(() => caller.controlPackets.length > 0);
    caller.shutdown();
    await ingest.publishes[0]?.sink.waitForEnd();
    expect(ingest.logLines.at(-1)).toContain('"undecrypted":1');
  });
});

describe('a caller that is not admitted', () => {
  it.each([
    ['an unknown key', { streamId: 'wrong-key' }, rejections.forbidden],
    ['a request to play', { streamId: '#!::r=good-key,m=request' }, rejections.badMode],
    ['an old version', { streamId: 'good-key', conclusion: { version: 4 } }, rejections.version],
  ])('with %s gets the reason', async (_name, callOptions, code) => {
    await using ingest = await startSrtIngest();
    const connecting = SrtCaller.connect({ port: ingest.port, ...callOptions });
    await expect(connecting).rejects.toThrow(`rejected: ${code}`);
    expect(ingest.publishes).toEqual([]);
  });

  it('gets the reason that the node drains', async () => {
    await using ingest = await startSrtIngest({ admit: () => Promise.resolve('draining') });
    const connecting = SrtCaller.connect({ port: ingest.port, streamId: 'good-key' });
    await expect(connecting).rejects.toThrow(`rejected: ${rejections.unavailable}`);
  });

  it('gets the reason that its address has too many encoders', async () => {
    await using ingest = await startSrtIngest({ limits: { connectionsPerAddress: 1 } });
    await using _first = await SrtCaller.connect({ port: ingest.port, streamId: 'good-key' });
    const second = SrtCaller.connect({ port: ingest.port, streamId: 'good-key' });
    await expect(second).rejects.toThrow(`rejected: ${rejections.resource}`);
    expect(ingest.logLines.join()).toContain('the address has too many publishers');
  });

  it('gets no response without the cookie of its address', async () => {
    await using ingest = await startSrtIngest();
    await using caller = await SrtCaller.connect({ port: ingest.port, streamId: 'good-key' });
    const abortController = new AbortController();
    const callOptions = { port: ingest.port, streamId: 'good-key', signal: abortController.signal };
    const stranger = SrtCaller.connect({ ...callOptions, conclusion: { cookie: 1 } });
    for (const message of muxKeyframes(30)) caller.send(message);
    await caller.whenAcknowledged();
    abortController.abort();
    await expect(stranger).rejects.toThrow('the server did not answer');
    expect(ingest.publishes).toHaveLength(1);
    expect(ingest.server.connectionCount()).toBe(1);
  });

  it('cannot send into the connection of another caller', async () => {
    await using ingest = await startSrtIngest();
    await using caller = await SrtCaller.connect({ port: ingest.port, streamId: 'good-one' });
    await using otherCaller = await SrtCaller.connect({ port: ingest.port, streamId: 'good-two' });
    otherCaller.control({ type: controlTypes.shutdown, destination: caller.socketIdOfServer });
    for (const message of muxKeyframes(2)) otherCaller.send(message);
    await otherCaller.whenAcknowledged();
    expect(ingest.server.connectionCount()).toBe(2);
  });
});
