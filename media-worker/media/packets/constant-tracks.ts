import { TrackSet } from '@/lib/core/media/track-set';
import { buildAacRecord } from '@/media-worker/media/cmaf/aac-config';
import type { AudioPacket, VideoPacket } from './media-packet';
import { ProgramVideo } from './program-video';
import type { PublishSink } from './publish';

/** Maximum number of audio packets held until the first video packet decides whether there is video. */
const MAX_WAITING = 1_024;

const DEFAULT_SAMPLE_RATE = 48_000;
const DEFAULT_CHANNELS = 2;

/**
 * A sink that gives a program constant tracks and forwards to `sink`. Video without audio gets the configuration of
 * silence, which `fillSilence` then fills. Audio is held until video arrives or the wait ends. Announced video that
 * does not arrive is black until it does.
 */
export function withConstantTracks(sink: PublishSink): PublishSink {
  const trackSet = new TrackSet();
  let announcedTracks: Parameters<TrackSet['announce']>[0] | null = null;
  let hasAudio = false;
  let waitingPackets: AudioPacket[] = [];
  const programVideo = new ProgramVideo((packet) => sink.push(packet));

  const release = () => {
    const packets = waitingPackets;
    waitingPackets = [];
    for (const packet of packets) {
      if (packet.role === 'frame') programVideo.fillBehindAudio(packet.dts);
      sink.push(packet);
    }
  };
  const configureSilence = (dts: number) => {
    hasAudio = true;
    const { sampleRate = DEFAULT_SAMPLE_RATE, channels = DEFAULT_CHANNELS } = announcedTracks?.audio ?? {};
    const payload =
      buildAacRecord(sampleRate, channels) ?? buildAacRecord(DEFAULT_SAMPLE_RATE, DEFAULT_CHANNELS);
    if (payload)
      sink.push({ kind: 'audio', codec: 'aac', role: 'config', isFilled: true, dts, pts: dts, payload });
  };
  const onVideo = (packet: VideoPacket) => {
    const tracks = trackSet.addPacket(packet);
    if (packet.role === 'frame') {
      release();
      if (tracks === 'video and audio' && !hasAudio) configureSilence(packet.dts);
    }
    programVideo.push(packet);
  };
  const onAudio = (packet: AudioPacket) => {
    hasAudio ||= packet.role === 'config';
    const wasDecided = trackSet.decision !== null;
    waitingPackets.push(packet);
    if (trackSet.addPacket(packet) === null && waitingPackets.length < MAX_WAITING) return;
    const tracks = trackSet.decideNow();
    const [first] = waitingPackets;
    if (!wasDecided && tracks === 'video and audio' && !trackSet.hasVideo && first)
      programVideo.startBlack(first.dts);
    release();
  };
  return {
    ids: sink.ids,
    announce: (tracks) => {
      announcedTracks = tracks;
      trackSet.announce(tracks);
    },
    push: (packet) => {
      if (packet.kind === 'video') onVideo(packet);
      else if (packet.codec === 'aac') onAudio(packet);
      else sink.push(packet);
    },
    end: (reason) => {
      release();
      sink.end(reason);
    },
  };
}
