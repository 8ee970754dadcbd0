import { TrackSet } from '@/lib/core/media/track-set';
import { aacRecord } from '@/media-worker/media/cmaf/aac-config';
import type { AudioPacket, MediaPacket } from './media-packet';
import type { PublishSink } from './publish';

/** Sound kept until it is known whether a picture follows. */
const MOST_WAITING = 1_024;

const USUAL_SAMPLE_RATE = 48_000;
const USUAL_CHANNELS = 2;

/**
 * The packets of one program with tracks that do not change, for everything behind `sink`: a picture without sound gets
 * the configuration of silence, for `fillSilence`, and sound is held back until it is known whether a picture comes with it.
 */
export function constantTracks(sink: PublishSink): PublishSink {
  const set = new TrackSet();
  let announced: Parameters<TrackSet['announce']>[0] | null = null;
  let hasSound = false;
  let waiting: AudioPacket[] = [];

  const release = () => {
    const packets = waiting;
    waiting = [];
    for (const packet of packets) sink.push(packet);
  };
  const silence = (dts: number) => {
    hasSound = true;
    const { sampleRate = USUAL_SAMPLE_RATE, channels = USUAL_CHANNELS } = announced?.sound ?? {};
    const payload = aacRecord(sampleRate, channels) ?? aacRecord(USUAL_SAMPLE_RATE, USUAL_CHANNELS);
    if (payload)
      sink.push({ kind: 'audio', codec: 'aac', role: 'config', isFilled: true, dts, pts: dts, payload });
  };
  const video = (packet: MediaPacket) => {
    // The sound that waited stands beside a picture once its configuration is known.
    if (packet.role === 'config') sink.push(packet);
    release();
    if (set.see(packet) === 'picture and sound' && !hasSound && packet.role === 'frame') silence(packet.dts);
    if (packet.role === 'frame') sink.push(packet);
  };
  const audio = (packet: AudioPacket) => {
    hasSound ||= packet.role === 'config';
    const isDecided = set.see(packet) !== null;
    if (!isDecided) waiting.push(packet);
    if (!isDecided && waiting.length < MOST_WAITING) return;
    set.settle();
    release();
    if (isDecided) sink.push(packet);
  };
  return {
    about: sink.about,
    announced: (tracks) => {
      announced = tracks;
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
