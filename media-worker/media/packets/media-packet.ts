/**
 * Codecs that a publisher may send. H.264, HEVC, AV1 and AAC are packaged, and other known audio is converted to AAC. Other
 * video is rejected with the name of its codec.
 */
export type VideoCodec = 'avc' | 'hevc' | 'av1' | 'vp9' | 'unknown';
export type AudioCodec = 'aac' | 'mp3' | 'ac3' | 'eac3' | 'opus' | 'unknown';

interface PacketTimes {
  /** Decode time in milliseconds on the publisher's clock, unwrapped (never falls back to 0 after 2^32 ms). */
  readonly dts: number;
  /** Presentation time in milliseconds; `pts - dts` may be negative or positive (B-frames). */
  readonly pts: number;
  /** Decode time sent by the publisher, ms, where `dts` was corrected. */
  readonly originalDts?: number;
}

/**
 * One packet of video: `config` carries the decoder configuration record (avcC, hvcC, av1C), `frame` length-prefixed
 * NAL units, or the OBUs of AV1.
 */
export interface VideoPacket extends PacketTimes {
  readonly kind: 'video';
  readonly codec: VideoCodec;
  readonly role: 'config' | 'frame';
  /** Whether the frame is a keyframe; false for a configuration. */
  readonly key: boolean;
  /** Codec bytes without the header of an FLV tag or other container; never a view of a buffer that is reused. */
  readonly payload: Buffer;
}

/** One packet of audio. Of AAC, `config` carries the AudioSpecificConfig, and `frame` one raw access unit. */
export interface AudioPacket extends PacketTimes {
  readonly kind: 'audio';
  readonly codec: AudioCodec;
  readonly role: 'config' | 'frame';
  /** Whether this is inserted silence or its configuration, where the publisher sends no audio. */
  readonly isFilled?: true;
  readonly payload: Buffer;
}

export type MediaPacket = VideoPacket | AudioPacket;
