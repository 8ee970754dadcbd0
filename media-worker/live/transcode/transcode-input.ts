import type { VideoConfig } from '@/media-worker/media/cmaf/codec-config';
import { VIDEO_TIMESCALE, initSegment } from '@/media-worker/media/cmaf/init-segment';
import { mediaPart } from '@/media-worker/media/cmaf/media-part';
import type { RenditionInput } from '@/media-worker/media/ffmpeg/rendition-args';
import { flvHeader, flvTag } from '@/media-worker/media/packets/flv-writer';
import type { VideoPacket } from '@/media-worker/media/packets/media-packet';

/** The picture of one period as ffmpeg reads it; times begin near 0. */
export interface TranscodeInput extends RenditionInput {
  readonly head: Buffer;
  /** @param shiftMs is added to its times */
  readonly packet: (packet: VideoPacket, shiftMs: number) => readonly Buffer[];
}

/** FLV for H.264; fragments for HEVC and AV1, which ffmpeg 5 does not read in FLV. */
export function transcodeInput(video: VideoConfig): TranscodeInput {
  return video.coding === 'avc' ? flvInput : fragmentedInput(video);
}

const flvInput: TranscodeInput = {
  ...{ format: 'flv', colors: 'kept' },
  head: flvHeader({ video: true, audio: false }),
  packet: (packet, shiftMs) => [
    packet.role === 'config' ? flvTag({ ...packet, dts: 0, pts: 0 }) : flvTag(packet, shiftMs),
  ],
};

const USUAL_FPS = 30;

/** A fragment a frame: the time of each is its own, whatever the one before it was to last. */
function fragmentedInput(video: VideoConfig): TranscodeInput {
  const duration = Math.round(VIDEO_TIMESCALE / (video.fps ?? USUAL_FPS));
  const ticks = (ms: number) => Math.round((ms * VIDEO_TIMESCALE) / 1_000);
  let sequence = 0;
  return {
    format: 'mov',
    colors: video.videoRange === 'PQ' ? 'pq' : video.videoRange === 'HLG' ? 'hlg' : 'kept',
    head: initSegment({ video, audio: undefined }),
    packet: ({ role, dts, pts, key, payload: data }, shiftMs) => {
      // The init segment has the configuration, and a period no other.
      if (role === 'config') return [];
      const sample = { data, duration, compositionOffset: ticks(pts - dts), key };
      const track = { start: Math.max(0, ticks(dts + shiftMs)), samples: [sample] };
      return mediaPart({ sequence: ++sequence, video: track, audio: undefined });
    },
  };
}
