/** A kind of media file. */
export interface Container {
  /** `format` of the asset's `videoSpec`. */
  readonly format: string;
  readonly label: string;
  /** The only ffmpeg demuxer that may open the file. */
  readonly demuxer: string;
  readonly contentType: string;
  /** Extension of file names, without a dot. */
  readonly extension: string;
}

const createContainer = (
  format: string,
  label: string,
  demuxer: string,
  contentType: string,
  extension: string,
): Container => ({ format, label, demuxer, contentType, extension });

export const mp4 = createContainer('mp4', 'MP4', 'mov', 'video/mp4', 'mp4');

/** Containers other than MP4. */
const containers = {
  mov: createContainer('mov', 'MOV', 'mov', 'video/quicktime', 'mov'),
  matroska: createContainer('matroska', 'MKV', 'matroska', 'video/x-matroska', 'mkv'),
  webm: createContainer('webm', 'WebM', 'matroska', 'video/webm', 'webm'),
  avi: createContainer('avi', 'AVI', 'avi', 'video/x-msvideo', 'avi'),
  flv: createContainer('flv', 'FLV', 'flv', 'video/x-flv', 'flv'),
  mpegts: createContainer('mpegts', 'MPEG-TS', 'mpegts', 'video/mp2t', 'ts'),
  mpeg: createContainer('mpeg', 'MPEG', 'mpeg', 'video/mpeg', 'mpg'),
  asf: createContainer('asf', 'WMV', 'asf', 'video/x-ms-asf', 'wmv'),
  mxf: createContainer('mxf', 'MXF', 'mxf', 'application/mxf', 'mxf'),
  dv: createContainer('dv', 'DV', 'dv', 'video/x-dv', 'dv'),
  ogg: createContainer('ogg', 'Ogg', 'ogg', 'application/ogg', 'ogg'),
  mp3: createContainer('mp3', 'MP3', 'mp3', 'audio/mpeg', 'mp3'),
  aac: createContainer('aac', 'AAC', 'aac', 'audio/aac', 'aac'),
  flac: createContainer('flac', 'FLAC', 'flac', 'audio/flac', 'flac'),
  wav: createContainer('wav', 'WAV', 'wav', 'audio/wav', 'wav'),
  gif: createContainer('gif', 'GIF', 'gif', 'image/gif', 'gif'),
  apng: createContainer('apng', 'APNG', 'apng', 'image/apng', 'apng'),
} as const satisfies Readonly<Record<string, Container>>;

/** Containers of animated pictures; still pictures of these formats have no container. */
export const { gif, apng } = containers;

/** Names of all containers, for messages. */
export const containerLabels: readonly string[] = [mp4, ...Object.values(containers)].map(
  ({ label }) => label,
);

/** The container with this `format` of a `videoSpec`; MP4 for unknown names. */
export const containerOfFormat = (format: string): Container =>
  Object.values(containers).find((container) => container.format === format) ?? mp4;

/** Number of bytes at the start of a file that are enough to identify its container. */
export const CONTAINER_HEAD_BYTES = 1_024;

const signatures: readonly (readonly [Container, offset: number, bytes: string])[] = [
  [containers.avi, 8, 'AVI '],
  [containers.wav, 8, 'WAVE'],
  [containers.flv, 0, 'FLV'],
  [containers.ogg, 0, 'OggS'],
  [containers.flac, 0, 'fLaC'],
  [containers.asf, 0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11'],
  [containers.mpeg, 0, '\0\0\x01\xba'],
  // The partition pack of SMPTE ST 377-1.
  [containers.mxf, 0, '\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02\x01\x01\x02'],
  // The header block of IEC 61834, for 525 and 625 lines.
  [containers.dv, 0, '\x1f\x07\0\x3f'],
  [containers.dv, 0, '\x1f\x07\0\xbf'],
];

const matroskaSignature = '\x1a\x45\xdf\xa3';
/** Types of the first box of old QuickTime files, which have no `ftyp` box. */
const oldQuickTimeBoxes = ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'];

/**
 * Detects the container of a file by its first bytes; null for an unknown one. ffmpeg must not guess the container: a
 * text file can be a playlist that references other files.
 *
 * @param head the first `CONTAINER_HEAD_BYTES` bytes of the file, or all bytes of a shorter file
 * @param behindTag the first bytes after `tagBytes`, if the tag is longer than the head
 */
export function detectContainer(
  head: Uint8Array,
  behindTag: Uint8Array = head.subarray(tagBytes(head)),
): Container | null {
  const textAt = (start: number, end: number) => String.fromCharCode(...head.subarray(start, end));
  const box = textAt(4, 8);
  if (box === 'ftyp') return textAt(8, 12) === 'qt  ' ? containers.mov : mp4;
  if (oldQuickTimeBoxes.includes(box)) return containers.mov;
  // The document type of Matroska is at most 64 bytes into the EBML header.
  if (textAt(0, 4) === matroskaSignature) {
    return textAt(4, 64).includes('webm') ? containers.webm : containers.matroska;
  }
  const signature = signatures.find(([, offset, bytes]) => textAt(offset, offset + bytes.length) === bytes);
  if (signature) return signature[0];
  if (tagBytes(head) > 0) {
    const tagged = detectContainer(behindTag);
    return tagged === containers.aac || tagged === containers.flac ? tagged : containers.mp3;
  }
  if (isTransportStream(head)) return containers.mpegts;
  return detectAudioContainer(head);
}

/**
 * Length of the ID3 tag before the media, in bytes; 0 without one. Its size has four groups of seven bits
 * (https://id3.org/id3v2.4.0-structure).
 */
export function tagBytes(head: Uint8Array): number {
  if (String.fromCharCode(...head.subarray(0, 3)) !== 'ID3') return 0;
  const [flags = 0, ...groups] = head.subarray(5, 10);
  const footerBytes = (flags & 0x10) === 0 ? 0 : 10;
  return groups.reduce((size, group) => size * 128 + (group & 0x7f), 0) + 10 + footerBytes;
}

/**
 * Whether the bytes are an MPEG transport stream. Its packets start with 0x47 and have 188 bytes (ISO/IEC 13818-1 §2.4.3.2),
 * 192 bytes with the time code that cameras add, or 204 bytes with the parity of a broadcast. A capture may start in the
 * middle of a packet.
 */
function isTransportStream(head: Uint8Array): boolean {
  for (const packetBytes of [188, 192, 204])
    for (let first = 0; first < packetBytes; first++)
      if ([0, 1, 2, 3].every((packet) => head[first + packet * packetBytes] === 0x47)) return true;
  return false;
}

/**
 * Detects AAC (ADTS) and MP3 by the header of their first frame, which starts with 11 set bits. The layer bits of ADTS are 0
 * (ISO/IEC 13818-7 §6.2); those of MPEG audio are 1 for Layer III, and 2 for Layer II. Layer I is not accepted, because a text
 * in UTF-16 begins with FF FE, which has its bits.
 */
function detectAudioContainer([first = 0, second = 0, third = 0]: Uint8Array): Container | null {
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  if ((second & 0xf6) === 0xf0) return containers.aac;
  const layer = (second >> 1) & 3;
  // Reserved values: MPEG version 1, bitrate index 15 and sample rate index 3.
  const isReserved = (second & 0x18) === 0x08 || third >> 4 === 15 || ((third >> 2) & 3) === 3;
  return (layer === 1 || layer === 2) && !isReserved ? containers.mp3 : null;
}
