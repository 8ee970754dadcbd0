import { TrackSet } from '@/lib/core/media/track-set';
import { aacRecord } from '@/media-worker/media/cmaf/aac-config';
import type { AudioPacket, VideoPacket } from './media-packet';
import { ProgramVideo } from './program-video';
import type { PublishSink } from './publish';

/** Maximum number of audio packets held until the first video packet decides whether there is video. */
const MAX_WAITING = 1_024;

const USUAL_SAMPLE_RATE = 48_000;
const USUAL_CHANNELS = 2;

/**
 * Gives a program constant tracks, for every stage after `sink`: video without audio gets the configuration of
 * silence, for `fillSilence`, and audio is held until video arrives or the wait ends. Announced video that does
 * not arrive is black until it does.
 */
export function constantTracks(sink: PublishSink): PublishSink {
  const set = new TrackSet();
  let announcedTracks: Parameters<TrackSet['announce']>[0] | null = null;
  let hasAudio = false;
  let waiting: AudioPacket[] = [];
  const programVideo = new ProgramVideo((packet) => sink.push(packet));

  const release = () => {
    const packets = waiting;
    waiting = [];
    for (const packet of packets) {
      if (packet.role === 'frame') programVideo.fillBeside(packet.dts);
      sink.push(packet);
    }
  };
  const silence = (dts: number) => {
    hasAudio = true;
    const { sampleRate = USUAL_SAMPLE_RATE, channels = USUAL_CHANNELS } = announcedTracks?.audio ?? {};
    const payload = aacRecord(sampleRate, channels) ?? aacRecord(USUAL_SAMPLE_RATE, USUAL_CHANNELS);
    if (payload)
      sink.push({ kind: 'audio', codec: 'aac', role: 'config', isFilled: true, dts, pts: dts, payload });
  };
  const video = (packet: VideoPacket) => {
    const tracks = set.see(packet);
    if (packet.role === 'frame') {
      release();
      if (tracks === 'video and audio' && !hasAudio) silence(packet.dts);
    }
    programVideo.push(packet);
  };
  const audio = (packet: AudioPacket) => {
    hasAudio ||= packet.role === 'config';
    const wasDecided = set.decided !== null;
    waiting.push(packet);
    if (set.see(packet) === null && waiting.length < MAX_WAITING) return;
    const tracks = set.settle();
    const [first] = waiting;
    if (!wasDecided && tracks === 'video and audio' && !set.hasVideo && first)
      programVideo.startBlack(first.dts);
    release();
  };
  return {
    about: sink.about,
    announce: (tracks) => {
      announcedTracks = tracks;
      set.announce(tracks);
    },
    push: (packet) => {
      if (packet.kind === 'video') video(packet);
      else if (packet.codec === 'aac') audio(packet);
      else sink.push(packet);
    },
    end: (reason) => {
      release();
      sink.end(reason);
    },
  };
}
