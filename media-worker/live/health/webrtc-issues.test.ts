import { expect, test } from 'vitest';
import type { AuthorizedPublish } from '@/lib/domain/streams';
import { createLogger } from '@/lib/infra/logger';
import { Renditions } from '@/media-worker/media/packaging/rendition';
import type { LiveWindow } from '@/media-worker/media/packaging/window';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { video, videoConfig } from '@/media-worker/media/packets/testing/packets';
import { WebrtcIssues } from './webrtc-issues';

const playbackId = 'abcd1234efgh5678';
const bFrames = 'Hint: WebRTC cannot play B-frames: set them to 0 in the encoder, or viewers get HLS instead';

/** Starts to watch a stream for WebRTC issues. */
function startWatch() {
  const webrtcIssues = new WebrtcIssues({ rtcPort: 8189 });
  const renditions = new Renditions({} as LiveWindow);
  let currentIssues: readonly string[] = [];
  const [feature] = webrtcIssues.features.map((start) =>
    start({
      streamId: 'stream',
      renditions,
      log: createLogger('live', 'silent'),
      report: (issues) => (currentIssues = issues),
    }),
  );
  feature?.follow({ playbackId } as AuthorizedPublish);
  const bus = new PacketBus({ onSubscriberError: (error) => expect.unreachable(String(error)) });
  renditions.source.startPublish(bus);
  const report = (body: unknown) => webrtcIssues.writes['/viewer-sound']?.(JSON.stringify(body));
  return { bus, report, feature, currentIssues: () => currentIssues };
}

test('B-frames are reported until the encoder stops using them', () => {
  const { bus, currentIssues } = startWatch();
  const createGop = (fromMs: number, displayDelaysMs: readonly number[]) =>
    displayDelaysMs.map((delayMs, index) => ({
      ...video(fromMs + index * 40, index === 0),
      pts: fromMs + index * 40 + delayMs,
    }));
  for (const packet of [videoConfig(), ...createGop(0, [80, 160, 40, 0])]) bus.push(packet);
  expect(currentIssues()).toEqual([bFrames]);
  for (const packet of [videoConfig(), ...createGop(160, [0, 0, 0, 0]), ...createGop(320, [0])])
    bus.push(packet);
  expect(currentIssues()).toEqual([]);
});

test('reports of the rtc process about audio become issues', async () => {
  const { report, feature, currentIssues } = startWatch();
  expect(await report({ playbackId, reason: 'ffmpeg ended' })).toEqual({ status: 204 });
  expect(currentIssues()).toEqual([
    'Hint: WebRTC viewers hear no audio, because it could not be encoded as Opus: ffmpeg ended',
  ]);
  await report({ playbackId, reason: null });
  expect(currentIssues()).toEqual([]);
  await report({ playbackId: 'f'.repeat(16), reason: 'of another stream' });
  expect(currentIssues()).toEqual([]);
  expect(await report({ playbackId })).toMatchObject({ status: 400 });
  await feature?.close();
  await report({ playbackId, reason: 'too late' });
  expect(currentIssues()).toEqual([]);
});

test('without an RTC port, no stream is watched for WebRTC issues', () => {
  expect(new WebrtcIssues({ rtcPort: undefined }).features).toEqual([]);
});
