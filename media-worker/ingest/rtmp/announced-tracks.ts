import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import { decodeData } from '@/media-worker/media/packets/rtmp-library';

/** Maximum size of a metadata message; larger ones are ignored. */
const MAX_BYTES = 16 * 1024;

/** Parses the tracks in the `onMetaData` message of a publisher; null for any other or a malformed message. */
export function parseAnnouncedTracks(message: Buffer): AnnouncedTracks | null {
  if (message.length > MAX_BYTES) return null;
  const metadata = parseMetadata(message);
  if (!metadata) return null;
  const hasAny = (...names: string[]) => names.some((name) => hasValue(metadata[name]));
  const sampleRate = numberInRange(metadata['audiosamplerate'], 8_000, 96_000);
  const channels = numberInRange(metadata['audiochannels'], 1, 8) ?? channelsOf(metadata['stereo']);
  const video = hasAny('videocodecid', 'width', 'hasVideo');
  const audio = hasAny('audiocodecid', 'audiosamplerate', 'hasAudio');
  if (!video && !audio) return null;
  const audioFormat = { ...(sampleRate ? { sampleRate } : {}), ...(channels ? { channels } : {}) };
  return { video, audio: audio ? audioFormat : null };
}

function parseMetadata(message: Buffer): Record<string, unknown> | null {
  try {
    // Encoders send onMetaData as the command, or as the method of the command @setDataFrame.
    const { cmd, method, dataObj } = decodeData(message);
    if (cmd !== 'onMetaData' && method !== 'onMetaData') return null;
    return typeof dataObj === 'object' && dataObj !== null ? (dataObj as Record<string, unknown>) : null;
  } catch {
    return null; // the decoder throws various errors for malformed bytes
  }
}

/** Whether a field is set. Encoders send 0, false or an empty string for a missing track. */
const hasValue = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== 0 && value !== '';

function numberInRange(value: unknown, min: number, max: number): number | undefined {
  return typeof value === 'number' && value >= min && value <= max ? Math.round(value) : undefined;
}

const channelsOf = (stereo: unknown): number | undefined =>
  typeof stereo === 'boolean' ? (stereo ? 2 : 1) : undefined;
