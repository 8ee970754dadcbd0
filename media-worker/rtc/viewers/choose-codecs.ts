import type { VideoCodingName } from '@/media-worker/media/cmaf/codec-config';
import { codecsOf, type SdpCodec, type SdpMedia, type SessionDescription } from '@/media-worker/rtc/sdp';

/** The video of a stream; null if it has none. */
export type StreamVideo = { readonly coding: VideoCodingName; readonly record: Buffer } | null;

export interface ChosenCodec {
  readonly media: SdpMedia;
  readonly codec: SdpCodec;
}

/** The chosen codecs. Video is null if the stream has none; audio is null if the client does not receive audio in Opus. */
export interface ChosenCodecs {
  readonly video: ChosenCodec | null;
  readonly audio: ChosenCodec | null;
}

const sdpNames: Readonly<Record<VideoCodingName, string>> = { avc: 'H264', hevc: 'H265', av1: 'AV1' };

/** Reasons why an offer is rejected. Players fall back to HLS and show the message. */
export const offerRejections = {
  unsupportedVideo: (name: VideoCodingName): string =>
    `The stream is ${{ avc: 'H.264', hevc: 'HEVC', av1: 'AV1' }[name]}, which this browser does not play over WebRTC. Use HLS.`,
  noOpus: 'This browser does not play Opus over WebRTC. Use HLS.',
  bFrames: 'The stream has B-frames, which WebRTC cannot play. Use HLS, or set B-frames to 0 in the encoder.',
} as const;

/** Chooses the codecs of the offer in which to send the stream. */
export function chooseCodecs(
  { media }: SessionDescription,
  streamVideo: StreamVideo,
): ChosenCodecs | { readonly rejection: string } {
  const receivedMedia = media.filter(({ direction }) => direction === 'recvonly' || direction === 'sendrecv');
  const [video, audio] = (['video', 'audio'] as const).map((kind) =>
    receivedMedia.find((section) => section.kind === kind),
  );
  const chosenVideo = video && streamVideo ? chooseVideoCodec(codecsOf(video), streamVideo) : undefined;
  if (streamVideo && !chosenVideo) return { rejection: offerRejections.unsupportedVideo(streamVideo.coding) };
  const chosenAudio = audio && codecsOf(audio).find(({ name }) => name === 'OPUS');
  if (!chosenVideo && !chosenAudio) return { rejection: offerRejections.noOpus };
  return {
    video: video && chosenVideo ? { media: video, codec: chosenVideo } : null,
    audio: audio && chosenAudio ? { media: audio, codec: chosenAudio } : null,
  };
}

function chooseVideoCodec(
  codecs: readonly SdpCodec[],
  { coding, record }: NonNullable<StreamVideo>,
): SdpCodec | undefined {
  const codecsOfCoding = codecs.filter(({ name }) => name === sdpNames[coding]);
  if (coding !== 'avc') return codecsOfCoding[0];
  // A frame larger than a packet needs fragmentation (RFC 6184 §6.3).
  const packetizationMode1Codecs = codecsOfCoding.filter(
    ({ parameters }) => parameters.get('packetization-mode') === '1',
  );
  // AVCProfileIndication and profile_compatibility of the avcC record (ISO/IEC 14496-15 §5.3.3.1).
  const [profile, constraints] = [record[1] ?? 0, record[2] ?? 0];
  const profileDistance = ({ parameters }: SdpCodec) => {
    // Without profile-level-id, RFC 6184 implies plain baseline (42000a); browsers mean constrained baseline. The last byte,
    // the level, is ignored: decoders play higher levels than they offer.
    const id = Number.parseInt(parameters.get('profile-level-id') ?? '42e01f', 16);
    const [offeredProfile, offeredConstraints] = [(id >> 16) & 0xff, (id >> 8) & 0xff];
    if (offeredProfile === profile) return offeredConstraints === constraints ? 0 : 1;
    // A heuristic: decoders often play more profiles than they offer, so the profile with the nearest number is preferred.
    return 2 + Math.abs(offeredProfile - profile);
  };
  return packetizationMode1Codecs.toSorted((a, b) => profileDistance(a) - profileDistance(b))[0];
}
