import { type AudioConfig, CodecConfigError, parseAacConfig } from '@/media-worker/media/cmaf/codec-config';
import { trueAacRecord } from '@/media-worker/media/cmaf/true-aac-config';
import type { AudioPacket } from './media-packet';
import type { PublishSink } from './publish';

/** Video time that a configuration without frames is held for, ms: after that, the audio begins with silence. */
const CONFIG_WAIT_MS = 500;

/**
 * Corrects the audio configuration of a publish by its first frames, for every stage after `sink`. The
 * configuration is held together with the first frames until they decide; one frame is enough if it is right.
 */
export function correctAudioTimestamps(sink: PublishSink): PublishSink {
  /** Audio whose first frames have not been parsed; null once its configuration is certain. */
  let current: { readonly config: AudioConfig; readonly packet: AudioPacket } | null = null;
  let latest: Buffer | null = null;
  let waiting: AudioPacket[] = [];
  /** Video time, ms, at which the configuration began to wait. */
  let videoMs: number | null = null;

  const release = (): void => {
    const packets = waiting;
    waiting = [];
    for (const packet of packets) sink.push(packet);
  };
  const onConfig = (packet: AudioPacket): void => {
    // A repeated configuration keeps its correction.
    if (latest?.equals(packet.payload)) return;
    release();
    latest = packet.payload;
    const config = configOf(packet.payload);
    current = config && { config, packet };
    videoMs = null;
    if (config) waiting.push(packet);
    else sink.push(packet);
  };
  const frame = (packet: AudioPacket): void => {
    if (!current) {
      sink.push(packet);
      return;
    }
    waiting.push(packet);
    const frames = waiting.filter(({ role }) => role === 'frame');
    const record = trueAacRecord(current.config, frames);
    if (!record) return;
    if (!record.equals(current.config.record)) waiting = [{ ...current.packet, payload: record }, ...frames];
    current = null;
    release();
  };
  const beside = (ms: number): void => {
    videoMs ??= ms;
    if (waiting.length === 1 && waiting[0]?.role === 'config' && ms - videoMs >= CONFIG_WAIT_MS) release();
  };
  return {
    about: sink.about,
    announce: (tracks) => sink.announce?.(tracks),
    push: (packet) => {
      if (packet.kind === 'audio' && packet.codec === 'aac') {
        if (packet.role === 'config') onConfig(packet);
        else frame(packet);
        return;
      }
      if (packet.kind === 'video' && packet.role === 'frame') beside(packet.dts);
      sink.push(packet);
    },
    end: (reason) => {
      release();
      sink.end(reason);
    },
  };
}

function configOf(record: Buffer): AudioConfig | null {
  try {
    return parseAacConfig(record);
  } catch (error) {
    if (error instanceof CodecConfigError) return null;
    throw error;
  }
}
