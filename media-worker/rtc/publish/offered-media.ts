import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import type { VideoCodingName } from '@/media-worker/media/cmaf/codec-config';
import {
  codecsOf,
  rejected,
  type SdpCodec,
  type SdpMedia,
  type SessionDescription,
  withCodec,
  withParameters,
} from '@/media-worker/rtc/sdp';

/** One track of an offer that this service takes. */
export interface OfferedTrack {
  readonly mid: string;
  readonly payloadType: number;
  readonly clockRate: number;
}

export interface OfferedPicture extends OfferedTrack {
  readonly codec: VideoCodingName;
}

/** What of an offer is taken: at most one picture and one sound. */
export interface OfferedMedia {
  readonly picture: OfferedPicture | null;
  readonly sound: OfferedTrack | null;
  /** The offer with that alone. */
  readonly narrowed: SessionDescription;
}

/** Those that a browser plays everywhere first. */
const pictureCodecs: readonly (readonly [string, VideoCodingName])[] = [
  ['H264', 'avc'],
  ['H265', 'hevc'],
  ['AV1', 'av1'],
];

/** From the first packet: otherwise Chromium begins with a small picture that grows, and each size is a new init segment. */
const START_BITRATE = 'x-google-start-bitrate=2500';
/** Without it Chromium sends one channel. */
const STEREO = 'stereo=1';

/** Null when an offer sends nothing that can be taken. */
export function takeOffered(offer: SessionDescription): OfferedMedia | null {
  const sending = offer.media.filter(({ direction }) => direction === 'sendonly' || direction === 'sendrecv');
  const picture = firstOf(sending, 'video', (codecs) => pictureOf(codecs));
  const sound = firstOf(sending, 'audio', (codecs) =>
    codecs.find(({ name, clockRate }) => name === 'OPUS' && clockRate === 48_000),
  );
  if (!picture && !sound) return null;
  const taken = [picture, sound].filter((one) => one !== null);
  const media = taken
    .map(({ media: section, codec }) => withCodec(section, codec))
    .sort((a, b) => orderOf(offer, a) - orderOf(offer, b));
  return {
    picture: picture && { ...trackOf(picture), codec: codingOf(picture.codec) },
    sound: sound && trackOf(sound),
    narrowed: { session: bundled(offer.session, media), media },
  };
}

/** What the publisher says that it will send. */
export const announcedBy = ({ picture, sound }: OfferedMedia): AnnouncedTracks => ({
  picture: picture !== null,
  sound: sound && { sampleRate: 48_000, channels: 2 },
});

/** The answer to the whole offer: what was not taken is answered, and never used. */
export function completeAnswer(
  answer: SessionDescription,
  offer: SessionDescription,
  { picture, sound }: OfferedMedia,
): SessionDescription {
  const media = offer.media.map((section) => {
    const answered = answer.media.find(({ mid }) => mid === section.mid);
    if (!answered) return rejected(section);
    if (picture?.mid === section.mid && picture.codec === 'avc')
      return withParameters(answered, picture.payloadType, START_BITRATE);
    return sound?.mid === section.mid ? withParameters(answered, sound.payloadType, STEREO) : answered;
  });
  return { ...answer, media };
}

interface Taken {
  readonly media: SdpMedia;
  readonly codec: SdpCodec;
}

function firstOf(
  all: readonly SdpMedia[],
  kind: string,
  choose: (codecs: readonly SdpCodec[]) => SdpCodec | undefined,
): Taken | null {
  for (const media of all) {
    const codec = media.kind === kind ? choose(codecsOf(media)) : undefined;
    if (codec) return { media, codec };
  }
  return null;
}

/** H.264 in fragments first; a picture of single units is as large as a datagram. */
function pictureOf(codecs: readonly SdpCodec[]): SdpCodec | undefined {
  for (const [name] of pictureCodecs) {
    const those = codecs.filter((codec) => codec.name === name && codec.clockRate === 90_000);
    const fragmented = those.find(({ parameters }) => parameters.get('packetization-mode') === '1');
    const codec = fragmented ?? those.find(({ parameters }) => parameters.get('packetization-mode') !== '2');
    if (codec) return codec;
  }
  return undefined;
}

const codingOf = ({ name }: SdpCodec): VideoCodingName =>
  pictureCodecs.find(([codec]) => codec === name)?.[1] ?? 'avc';

const trackOf = ({ media: { mid }, codec: { payloadType, clockRate } }: Taken): OfferedTrack => ({
  mid,
  payloadType,
  clockRate,
});

const orderOf = ({ media }: SessionDescription, { mid }: SdpMedia): number =>
  media.findIndex((section) => section.mid === mid);

function bundled(session: readonly string[], media: readonly SdpMedia[]): string[] {
  const group = `a=group:BUNDLE ${media.map(({ mid }) => mid).join(' ')}`;
  return session.map((line) => (line.startsWith('a=group:BUNDLE') ? group : line));
}
