/**
 * Signatures of common files that are neither video nor audio: the offset and the bytes of the signature, and what the file
 * is.
 */
const signatures: readonly (readonly [offset: number, bytes: string, name: string])[] = [
  [0, '\x1f\x8b', 'a gzip file'],
  [0, 'PK\x03\x04', 'a ZIP archive'],
  [0, 'PK\x05\x06', 'a ZIP archive'],
  [0, 'Rar!\x1a\x07', 'a RAR archive'],
  [0, '7z\xbc\xaf\x27\x1c', 'a 7z archive'],
  [0, 'BZh', 'a bzip2 file'],
  [0, '\xfd7zXZ\0', 'an XZ file'],
  [0, '\x28\xb5\x2f\xfd', 'a Zstandard file'],
  [257, 'ustar', 'a tar archive'],
  [0, '%PDF-', 'a PDF document'],
  [0, '\x89PNG\r\n\x1a\n', 'a picture (PNG)'],
  [0, '\xff\xd8\xff', 'a picture (JPEG)'],
  [0, 'GIF8', 'a picture (GIF)'],
  [8, 'WEBP', 'a picture (WebP)'],
  [4, 'ftypavif', 'a picture (AVIF)'],
  [4, 'ftypheic', 'a picture (HEIC)'],
  [4, 'ftypheix', 'a picture (HEIC)'],
  [4, 'ftypmif1', 'a picture (HEIF)'],
];

/** The first tag of a web page (https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type). */
const htmlTag =
  /^<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)(?=[\s/>]|$)/i;

const textPatterns: readonly (readonly [RegExp, name: string])[] = [
  [htmlTag, 'a web page (HTML)'],
  [/^#EXTM3U/, 'a playlist (M3U8)'],
  [/^<(?:\w+:)?MPD[\s>]/, 'a DASH manifest (MPD)'],
  [/^<SmoothStreamingMedia[\s>]/, 'a Smooth Streaming manifest'],
  [/^WEBVTT/, 'a caption file (WebVTT)'],
  [/^\d+\s+\d{2}:\d{2}:\d{2},\d{3} -->/, 'a caption file (SubRip)'],
  [/^<[a-z][\w:.-]*(?=[\s/>]|$)/i, 'an XML document'],
  [/^[[{]\s*["{[\]}\d-]/, 'a JSON document'],
];

/**
 * The error message for a file that is known to be neither video nor audio, such as the web page that a server sends instead
 * of a video; null for other files.
 * @param head the first `CONTAINER_HEAD_BYTES` bytes of the file, or all bytes of a shorter file
 */
export function notMediaMessage(head: Uint8Array): string | null {
  const name = detectFileKind(head);
  return name === null ? null : `the file is ${name}, not a video`;
}

/** The error message for an animated picture of a format that ffmpeg cannot decode. */
export const undecodableAnimationMessage = (format: string): string =>
  `the file is an animated picture (${format}), which cannot be converted`;

function detectFileKind(head: Uint8Array): string | null {
  const bytes = String.fromCharCode(...head);
  const knownSignature = signatures.find(([offset, signature]) => bytes.startsWith(signature, offset));
  if (knownSignature) return knownSignature[2];
  const text = decodeText(head);
  if (text === null) return null;
  return textPatterns.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** The text of a file without leading white space, XML declaration and comments; null if the file is not text. */
function decodeText(head: Uint8Array): string | null {
  const [first, second] = head;
  const utf16Encoding = { 0xfffe: 'utf-16le', 0xfeff: 'utf-16be' }[((first ?? 0) << 8) | (second ?? 0)];
  const text = new TextDecoder(utf16Encoding ?? 'utf-8').decode(head);
  // Control characters that no text contains. ESC (0x1b) is allowed, because ISO 2022 uses it.
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text)) return null;
  const content = text.replace(/^(?:\s|<\?xml[^>]*>|<!--.*?(?:-->|$))+/s, '');
  // Letters of encodings older than UTF-8 become U+FFFD; too many of them mean that the file is binary.
  return (text.match(/\ufffd/g)?.length ?? 0) > text.length / 4 ? null : content;
}
