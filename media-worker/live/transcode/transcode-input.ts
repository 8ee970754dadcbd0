import type { VideoConfig } from '@/media-worker/media/cmaf/codec-config';
import type { RenditionInput } from '@/media-worker/media/ffmpeg/rendition-args';
import { encodeFlvHeader, encodeFlvTag } from '@/media-worker/media/packets/flv-writer';
import { encodeMatroskaFrame, encodeMatroskaVideoHead } from '@/media-worker/media/packets/matroska-writer';
import type { VideoPacket } from '@/media-worker/media/packets/media-packet';

/** The video of one period in the form that ffmpeg reads; its timestamps begin near 0. */
export interface TranscodeInput extends RenditionInput {
  readonly header: Buffer;
  /**
   * Converts a packet.
   * @param shiftMs offset to add to its timestamps
   */
  readonly convert: (packet: VideoPacket, shiftMs: number) => readonly Buffer[];
}

/**
 * Creates the input for a video configuration: FLV for H.264, and Matroska for HEVC and AV1, which ffmpeg 5 does
 * not read in FLV.
 */
export function createTranscodeInput(video: VideoConfig): TranscodeInput {
  return video.coding === 'avc' ? flvInput : matroskaInput(video);
}

const flvInput: TranscodeInput = {
  format: 'flv',
  colors: 'kept',
  header: encodeFlvHeader({ video: true, audio: false }),
  convert: (packet, shiftMs) => [
    packet.role === 'config' ? encodeFlvTag({ ...packet, dts: 0, pts: 0 }) : encodeFlvTag(packet, shiftMs),
  ],
};

function matroskaInput(video: VideoConfig): TranscodeInput {
  return {
    format: 'matroska',
    colors: video.videoRange === 'PQ' ? 'pq' : video.videoRange === 'HLG' ? 'hlg' : 'kept',
    header: encodeMatroskaVideoHead(video),
    // The header holds the configuration, which never changes in a period.
    convert: ({ role, pts, key, payload: data }, shiftMs) =>
      role === 'config'
        ? []
        : [encodeMatroskaFrame({ pts: Math.max(0, Math.round(pts + shiftMs)), key, data })],
  };
}
