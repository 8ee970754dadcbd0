import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import type {
  AudioCodec,
  AudioPacket,
  MediaPacket,
  VideoCodec,
  VideoPacket,
} from '@/media-worker/media/packets/media-packet';

interface VideoOptions {
  readonly key?: boolean;
  readonly compositionMs?: number;
  readonly bytes?: number;
  readonly codec?: VideoCodec;
}

/** A NAL unit of each kind after its length; the slices have no picture data. */
const IDR_PICTURE = Buffer.from('00000004650000ff', 'hex');
const PREDICTED_PICTURE = Buffer.from('00000004419a00ff', 'hex');

export function videoFrame(dts: number, options: VideoOptions = {}): VideoPacket {
  const { key = false, compositionMs = 0, bytes, codec = 'avc' } = options;
  const payload = bytes === undefined ? (key ? IDR_PICTURE : PREDICTED_PICTURE) : Buffer.alloc(bytes);
  return { kind: 'video', codec, role: 'frame', key, dts, pts: dts + compositionMs, payload };
}

export function audioFrame(dts: number, codec: AudioCodec = 'aac'): AudioPacket {
  return { kind: 'audio', codec, role: 'frame', dts, pts: dts, payload: Buffer.from('210049', 'hex') };
}

export function videoConfig(record: Buffer = CONFIG_RECORDS.high320, dts = 0): VideoPacket {
  return { kind: 'video', codec: 'avc', role: 'config', key: false, dts, pts: dts, payload: record };
}

export function audioConfig(record: Buffer = CONFIG_RECORDS.aacStereo48, dts = 0): AudioPacket {
  return { kind: 'audio', codec: 'aac', role: 'config', dts, pts: dts, payload: record };
}

/** The frames of an encoder in a span of time. */
interface Span {
  readonly fromMs?: number;
  readonly untilMs: number;
  /** Keyframe interval; the first frame is a keyframe. */
  readonly gopMs?: number;
  readonly frameMs?: number;
  readonly audio?: boolean;
  readonly video?: boolean;
}

const AAC_FRAME_MS = (1024 * 1000) / 48_000;

/** Frames of a steady encoder in decode order, without configurations. */
export function steadyFrames(span: Span): MediaPacket[] {
  const { fromMs = 0, untilMs, gopMs = 2000, frameMs = 40, audio = true, video = true } = span;
  const packets: MediaPacket[] = [];
  for (let ms = fromMs; video && ms < untilMs; ms += frameMs) {
    packets.push(videoFrame(ms, { key: (ms - fromMs) % gopMs === 0 }));
  }
  for (let n = 0; audio && fromMs + n * AAC_FRAME_MS < untilMs; n++) {
    packets.push(audioFrame(Math.round(fromMs + n * AAC_FRAME_MS)));
  }
  return packets.sort((a, b) => a.dts - b.dts);
}
