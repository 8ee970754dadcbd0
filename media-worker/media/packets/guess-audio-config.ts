import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import { buildAacRecord, parseAacConfig } from '@/media-worker/media/cmaf/aac-config';
import { guessAacRecord } from '@/media-worker/media/cmaf/detect-aac-config';
import type { AudioPacket } from './media-packet';
import type { PublishSink } from './publish';

/** Number of frames that show the format. */
const FRAMES_NEEDED = 8;
/** Format of audio whose encoder announces none, if its frames do not show another one. */
const DEFAULT_FORMAT = { sampleRate: 48_000, channels: 2 };
/** AudioSpecificConfig of AAC-LC in the default format. */
const DEFAULT_RECORD = Buffer.from('1190', 'hex');

/**
 * A sink that adds a configuration before AAC whose encoder sends none, and forwards to `sink`. It is made from the first
 * frames, which are held until then, and from the announced format.
 */
export function guessAudioConfig(sink: PublishSink): PublishSink {
  let announcedFormat: AnnouncedTracks['audio'] = null;
  let hasConfig = false;
  let waitingFrames: AudioPacket[] = [];

  const release = (): void => {
    const [first] = waitingFrames;
    if (!first) return;
    const { sampleRate, channels } = { ...DEFAULT_FORMAT, ...announcedFormat };
    const config = parseAacConfig(buildAacRecord(sampleRate, channels) ?? DEFAULT_RECORD);
    const payload = guessAacRecord(config, waitingFrames);
    hasConfig = true;
    for (const packet of [{ ...first, role: 'config', payload } as const, ...waitingFrames])
      sink.push(packet);
    waitingFrames = [];
  };
  const onFrame = (packet: AudioPacket): void => {
    waitingFrames.push(packet);
    if (waitingFrames.length >= FRAMES_NEEDED) release();
  };
  return {
    ids: sink.ids,
    announce: (tracks) => {
      announcedFormat = tracks.audio;
      sink.announce?.(tracks);
    },
    push: (packet) => {
      const isAac = packet.kind === 'audio' && packet.codec === 'aac';
      if (isAac && packet.role === 'frame' && !hasConfig) {
        onFrame(packet);
        return;
      }
      if (isAac && packet.role === 'config') {
        hasConfig = true;
        waitingFrames = [];
      }
      sink.push(packet);
    },
    end: (reason) => {
      release();
      sink.end(reason);
    },
  };
}
