import { type AnnouncedTracks, TrackSet } from '@/lib/core/media/track-set';
import { buildAacRecord } from '@/media-worker/media/cmaf/aac-config';
import { DecodableAudio } from './decodable-audio';
import type { AudioPacket, VideoPacket } from './media-packet';
import { ProgramVideo } from './program-video';
import type { PublishSink } from './publish';

/** Maximum number of audio packets held until the first video packet decides whether there is video. */
const MAX_WAITING_PACKETS = 1_024;

const DEFAULT_SAMPLE_RATE = 48_000;
const DEFAULT_CHANNELS = 2;

/**
 * A sink that gives a program constant tracks and forwards to `sink`. Video without audio gets the configuration of
 * silence, which `fillSilence` then fills; audio that cannot be decoded is replaced by it. Audio is held until video
 * arrives or the wait ends. Announced video that does not arrive is black until it does.
 */
export function withConstantTracks(sink: PublishSink): PublishSink {
  const trackSet = new TrackSet();
  let announcedTracks: AnnouncedTracks | null = null;
  let hasAudio = false;
  const decodableAudio = new DecodableAudio();
  const waitingPackets: AudioPacket[] = [];
  const programVideo = new ProgramVideo((packet) => sink.push(packet));

  const releaseWaiting = () => {
    for (const packet of waitingPackets.splice(0)) {
      if (packet.role === 'frame') programVideo.fillBehindAudio(packet.dts);
      sink.push(packet);
    }
  };
  const configureSilence = (dts: number) => {
    hasAudio = true;
    const packet = createSilenceConfig(announcedTracks?.audio ?? {}, dts);
    if (packet) sink.push(packet);
  };
  const onVideo = (packet: VideoPacket) => {
    const tracks = trackSet.addPacket(packet);
    if (packet.role === 'frame') {
      releaseWaiting();
      if (!hasAudio && (decodableAudio.hasRejected || tracks === 'video and audio'))
        configureSilence(packet.dts);
    }
    programVideo.push(packet);
  };
  const onAudio = (packet: AudioPacket) => {
    hasAudio ||= packet.role === 'config';
    const wasDecided = trackSet.decision !== null;
    waitingPackets.push(packet);
    if (trackSet.addPacket(packet) === null && waitingPackets.length < MAX_WAITING_PACKETS) return;
    const tracks = trackSet.decideNow();
    const [first] = waitingPackets;
    if (!wasDecided && tracks === 'video and audio' && !trackSet.hasVideo && first)
      programVideo.startBlack(first.dts);
    releaseWaiting();
  };
  const onUnusableAudio = (packet: AudioPacket) => {
    const report = decodableAudio.createReport(packet);
    if (trackSet.hasVideo && !hasAudio) configureSilence(packet.dts);
    if (report) sink.push(report);
  };
  return {
    ids: sink.ids,
    announce: (tracks) => {
      announcedTracks = tracks;
      trackSet.announce(tracks);
    },
    push: (packet) => {
      if (packet.kind === 'video') onVideo(packet);
      else if (decodableAudio.accepts(packet)) onAudio(packet);
      else onUnusableAudio(packet);
    },
    end: (reason) => {
      releaseWaiting();
      sink.end(reason);
    },
  };
}

/** The configuration of silence in the announced format, or in the default format if AAC does not have the announced one. */
function createSilenceConfig(
  { sampleRate = DEFAULT_SAMPLE_RATE, channels = DEFAULT_CHANNELS }: NonNullable<AnnouncedTracks['audio']>,
  dts: number,
): AudioPacket | undefined {
  const payload =
    buildAacRecord(sampleRate, channels) ?? buildAacRecord(DEFAULT_SAMPLE_RATE, DEFAULT_CHANNELS);
  return payload && { kind: 'audio', codec: 'aac', role: 'config', isFilled: true, dts, pts: dts, payload };
}
