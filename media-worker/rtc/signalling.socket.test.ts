import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import type { SystemContext } from '@/lib/domain/context';
import { createLogger } from '@/lib/infra/logger';
import { findFreePort } from '@/lib/infra/testing/free-port';
import type { PublishEnd } from '@/media-worker/media/packets/publish';
import type { PeerEnd } from './peer';
import { WhipPublishes } from './publish/whip-publishes';
import type { RtcDirection } from './rtc-direction';
import type { PublishOffer } from './rtc-request';
import { sessionPath, Signalling } from './signalling';
import { ViewerClient } from './testing/viewer-client';
import { NativePublisher } from './testing/native-publisher';

const log = createLogger('rtc', 'silent');
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).toReversed()) close();
});

async function startSignalling(publish: RtcDirection<PublishOffer>, connectTimeoutMs = 8_000) {
  const settings = { host: '127.0.0.1', rtcPublicAddresses: [], rtcPort: await findFreePort() };
  const signalling = new Signalling({
    settings,
    log,
    directions: { publish },
    limits: { connectTimeoutMs },
  });
  closers.push(() => signalling.close());
  const sendOffer = async (offer: string) => {
    const answer = await signalling.answer({ kind: 'publish', ip: '127.0.0.1', offer, streamKey: 'a-key' });
    const id = String(answer.headers?.['Location']).slice(sessionPath('').length);
    return { status: answer.status, text: Buffer.concat(answer.body ?? []).toString(), id };
  };
  return { signalling, sendOffer };
}

describe('a publish', () => {
  async function startPublish() {
    const ends: PublishEnd[] = [];
    const ctx = {
      clock: systemClock,
      log,
      secrets: { fingerprint: () => Buffer.from('a') },
      settings: {},
    } as unknown as SystemContext;
    const sink = { push: () => undefined, end: (reason: PublishEnd) => void ends.push(reason) };
    const { signalling, sendOffer } = await startSignalling(
      new WhipPublishes(ctx, { admit: () => Promise.resolve(sink) }),
    );
    const publisher = new NativePublisher();
    closers.push(() => publisher.close());
    const { status, id } = await sendOffer(await publisher.offer());
    expect(status).toBe(201);
    return { signalling, id, ends };
  }

  test('is finished when its client ends the session', async () => {
    const { signalling, id, ends } = await startPublish();
    await signalling.answer({ kind: 'close', id });
    expect(ends).toEqual(['finished']);
  });

  test('is lost, so that its session continues, when this process ends', async () => {
    const { signalling, ends } = await startPublish();
    signalling.close();
    expect(ends).toEqual(['lost']);
  });
});

describe('the end of a connection', () => {
  async function connect(connectTimeoutMs: number, onAnswer: (client: ViewerClient, answer: string) => void) {
    const ends: PeerEnd[] = [];
    const direction: RtcDirection<PublishOffer> = {
      accept: (_request, offer) => Promise.resolve({ offer, onEnd: (reason) => void ends.push(reason) }),
    };
    const { sendOffer } = await startSignalling(direction, connectTimeoutMs);
    const client = new ViewerClient();
    closers.push(() => client.close());
    const { text } = await sendOffer(await client.offer());
    onAnswer(client, text);
    await expect.poll(() => ends.length, { timeout: 30_000 }).toBe(1);
    return ends;
  }

  test('is `unreachable` when the client sends nothing', async () => {
    expect(await connect(300, () => undefined)).toEqual(['unreachable']);
  });

  test('is not `unreachable` when the client was reached and DTLS fails', async () => {
    const withOtherFingerprint = (answer: string) =>
      answer.replace(
        /(a=fingerprint:\S+ )(\w\w)/g,
        (_line, head: string, byte: string) => `${head}${byte === '00' ? '01' : '00'}`,
      );
    // The library does not always report that ICE is complete.
    for (let count = 0; count < 20; count += 1) {
      const ends = await connect(15_000, (client, answer) => client.accept(withOtherFingerprint(answer)));
      expect(ends).toEqual(['lost']);
    }
  });
});
