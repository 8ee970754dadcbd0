import type { ChosenCodec, ChosenCodecs, StreamVideo } from '@/media-worker/rtc/viewers/choose-codecs';

/** `profile-level-id` for a test without a stream: Constrained Baseline, level 3.1. */
const DEFAULT_PROFILE_LEVEL_ID = '42e01f';
const payloadTypes = { video: 102, audio: 111 } as const;

const formatHex = (value: number | undefined): string => (value ?? 0).toString(16).padStart(2, '0');

/** The `profile-level-id` (RFC 6184 §8.1) of a stream: bytes 1 to 3 of its avcC record are profile, constraints and level. */
function profileLevelIdOf(streamVideo: StreamVideo): string {
  if (!streamVideo || streamVideo.record.length < 4) return DEFAULT_PROFILE_LEVEL_ID;
  return [1, 2, 3].map((offset) => formatHex(streamVideo.record[offset])).join('');
}

/** The codecs to offer a WHIP endpoint: H.264 with the profile of the stream, and Opus. */
export function createTargetCodecs(
  streamVideo: StreamVideo,
  { hasVideo, hasAudio }: { readonly hasVideo: boolean; readonly hasAudio: boolean },
): ChosenCodecs {
  const parameters = new Map([
    ['level-asymmetry-allowed', '1'],
    ['packetization-mode', '1'],
    ['profile-level-id', profileLevelIdOf(streamVideo)],
  ]);
  const video = { payloadType: payloadTypes.video, name: 'H264', clockRate: 90_000, parameters };
  const audio = { payloadType: payloadTypes.audio, name: 'OPUS', clockRate: 48_000, parameters: new Map() };
  return {
    video: hasVideo ? createOfferedCodec('0', 'video', video) : null,
    audio: hasAudio ? createOfferedCodec('1', 'audio', audio) : null,
  };
}

const createOfferedCodec = (mid: string, kind: string, codec: ChosenCodec['codec']): ChosenCodec => ({
  media: { kind, mid, direction: 'sendonly', lines: [] },
  codec,
});
