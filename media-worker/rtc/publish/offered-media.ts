import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import type { VideoCodingName } from '@/media-worker/media/cmaf/codec-config';
import {
  attributeOf,
  codecsOf,
  rejectSection,
  type SdpCodec,
  type SdpMedia,
  type SessionDescription,
  withCodec,
  withParameters,
} from '@/media-worker/rtc/sdp';
import { offeredLayersOf, type OfferedLayers, withAcceptedLayers } from '@/media-worker/rtc/sdp-layers';

/** One track of an offer that this service accepts. */
export interface OfferedTrack {
  readonly mid: string;
  readonly payloadType: number;
  readonly clockRate: number;
}

export interface OfferedVideo extends OfferedTrack {
  readonly codec: VideoCodingName;
  /** The accepted layers; null if the track has one layer. */
  readonly layers: OfferedLayers | null;
}

/** The accepted part of an offer: at most one video and one audio track. */
export interface OfferedMedia {
  readonly video: OfferedVideo | null;
  readonly audio: OfferedTrack | null;
  /** The offer reduced to the accepted tracks, for the library. */
  readonly reducedOffer: SessionDescription;
  /**
   * Accepted sections that the library does not see, because an offer with several layers declares no SSRCs: with several
   * sections, the library drops packets of undeclared SSRCs, and with one it delivers all packets of the connection
   * (ADR 113).
   */
  readonly hiddenSections: readonly SdpMedia[];
}

/** Video codecs in order of preference: first those that most browsers play. */
const videoCodecs: readonly (readonly [string, VideoCodingName])[] = [
  ['H264', 'avc'],
  ['H265', 'hevc'],
  ['AV1', 'av1'],
];

/**
 * Parameter for the bitrate from the first packet on, kbit/s. Without it, Chromium starts with a small frame size that
 * grows, and each size needs a new init segment.
 */
const START_BITRATE = 'x-google-start-bitrate=2500';
/** Start bitrate for several layers, kbit/s: Chromium sends a layer once its estimate exceeds what the smaller layers use. */
const LAYERS_START_BITRATE = 'x-google-start-bitrate=4000';
/** Parameter for stereo. Without it, Chromium sends one channel. */
const STEREO = 'stereo=1';

/** Selects the first supported video and audio track of an offer; null if none is supported. */
export function selectOfferedMedia(offer: SessionDescription): OfferedMedia | null {
  const sentMedia = offer.media.filter(
    ({ direction }) => direction === 'sendonly' || direction === 'sendrecv',
  );
  const video = findSupported(sentMedia, 'video', (codecs) => chooseVideoCodec(codecs));
  const audio = findSupported(sentMedia, 'audio', (codecs) =>
    codecs.find(({ name, clockRate }) => name === 'OPUS' && clockRate === 48_000),
  );
  if (!video && !audio) return null;
  const acceptedTracks = [video, audio].filter((track) => track !== null);
  const media = acceptedTracks
    .map(({ section, codec }) => withCodec(section, codec))
    .sort((a, b) => sectionIndexOf(offer, a) - sectionIndexOf(offer, b));
  const areBundled = isBundled(offer, media);
  const layers = video && areBundled ? layersOf(video) : null;
  // OBS declares the SSRC of one layer only.
  const isDeclared = layers === null && declaresSsrcs(media);
  const visibleMedia = isDeclared || !areBundled ? media : media.slice(0, 1);
  return {
    video: video && { ...trackOf(video), codec: codingOf(video.codec), layers },
    audio: audio && trackOf(audio),
    reducedOffer: { session: withBundle(offer.session, visibleMedia), media: visibleMedia },
    hiddenSections: media.slice(visibleMedia.length),
  };
}

const declaresSsrcs = (media: readonly SdpMedia[]): boolean =>
  media.every(({ lines }) => attributeOf(lines, 'ssrc') !== null);

/** Whether the offer sends all these sections over one connection. */
function isBundled({ session }: SessionDescription, media: readonly SdpMedia[]): boolean {
  const mids = attributeOf(session, 'group')?.split(' ') ?? [];
  return mids[0] === 'BUNDLE' && media.every(({ mid }) => mids.includes(mid));
}

/** The tracks of an offer in the form in which publishers announce them. */
export const announcedTracksOf = ({ video, audio }: OfferedMedia): AnnouncedTracks => ({
  video: video !== null,
  audio: audio && { sampleRate: 48_000, channels: 2 },
});

/** Completes the answer: media sections that were not accepted are rejected. */
export function completeAnswer(
  answer: SessionDescription,
  offer: SessionDescription,
  { video, audio, hiddenSections }: OfferedMedia,
): SessionDescription {
  const answeredSections = [
    ...answer.media,
    ...hiddenSections.map((section) => answerHidden(section, answer)),
  ];
  const media = offer.media.map((section) => {
    const answeredSection = answeredSections.find(({ mid }) => mid === section.mid);
    if (!answeredSection) return rejectSection(section);
    if (video?.mid === section.mid && video.codec === 'avc') return answerVideo(answeredSection, video);
    return audio?.mid === section.mid
      ? withParameters(answeredSection, audio.payloadType, STEREO)
      : answeredSection;
  });
  return {
    session: hiddenSections.length > 0 ? withBundle(answer.session, answeredSections) : answer.session,
    media,
  };
}

function answerVideo(section: SdpMedia, { payloadType, layers }: OfferedVideo): SdpMedia {
  const parameters = layers ? LAYERS_START_BITRATE : START_BITRATE;
  const answerSection = withParameters(section, payloadType, parameters);
  return layers ? withAcceptedLayers(answerSection, layers) : answerSection;
}

/**
 * Creates the answer to a section that the library does not see, with the ICE and DTLS attributes of the sections
 * that it sees.
 */
function answerHidden(section: SdpMedia, answer: SessionDescription): SdpMedia {
  const [mediaLine = ''] = section.lines;
  const connectionLines = [...answer.session, ...answer.media.flatMap(({ lines }) => lines)].filter((line) =>
    /^a=(?:ice-ufrag|ice-pwd|fingerprint|setup):/.test(line),
  );
  const codecLines = section.lines.filter((line) => /^a=(?:rtpmap|fmtp|rtcp-fb):/.test(line));
  const lines = [
    'c=IN IP4 0.0.0.0',
    `a=mid:${section.mid}`,
    'a=recvonly',
    'a=rtcp-mux',
    ...codecLines,
    ...connectionLines,
  ];
  return {
    ...section,
    direction: 'recvonly',
    // Port 9 says that ICE determines the address (RFC 8829 §5.2.1).
    lines: [mediaLine.replace(/^m=(\w+) \d+/, 'm=$1 9'), ...lines],
  };
}

interface SelectedTrack {
  readonly section: SdpMedia;
  readonly codec: SdpCodec;
}

function findSupported(
  sections: readonly SdpMedia[],
  kind: string,
  choose: (codecs: readonly SdpCodec[]) => SdpCodec | undefined,
): SelectedTrack | null {
  for (const section of sections) {
    const codec = section.kind === kind ? choose(codecsOf(section)) : undefined;
    if (codec) return { section, codec };
  }
  return null;
}

/** Prefers H.264 with fragmentation, because single NAL units limit a frame to the size of a datagram. */
function chooseVideoCodec(codecs: readonly SdpCodec[]): SdpCodec | undefined {
  for (const [name] of videoCodecs) {
    const namedCodecs = codecs.filter((codec) => codec.name === name && codec.clockRate === 90_000);
    const fragmentedCodec = namedCodecs.find(
      ({ parameters }) => parameters.get('packetization-mode') === '1',
    );
    const codec =
      fragmentedCodec ?? namedCodecs.find(({ parameters }) => parameters.get('packetization-mode') !== '2');
    if (codec) return codec;
  }
  return undefined;
}

/** The accepted layers of a track; null for codecs other than H.264, because renditions are packaged as H.264. */
const layersOf = ({ section, codec }: SelectedTrack): OfferedLayers | null =>
  codingOf(codec) === 'avc' ? offeredLayersOf(section, codec.payloadType) : null;

const codingOf = ({ name }: SdpCodec): VideoCodingName =>
  videoCodecs.find(([codec]) => codec === name)?.[1] ?? 'avc';

const trackOf = ({ section: { mid }, codec: { payloadType, clockRate } }: SelectedTrack): OfferedTrack => ({
  mid,
  payloadType,
  clockRate,
});

/** Index of a section in the offer. */
const sectionIndexOf = ({ media }: SessionDescription, { mid }: SdpMedia): number =>
  media.findIndex((section) => section.mid === mid);

/** Session lines whose BUNDLE group lists exactly these sections. */
function withBundle(session: readonly string[], media: readonly SdpMedia[]): string[] {
  const group = `a=group:BUNDLE ${media.map(({ mid }) => mid).join(' ')}`;
  return session.map((line) => (line.startsWith('a=group:BUNDLE') ? group : line));
}
