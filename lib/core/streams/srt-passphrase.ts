/**
 * Whether an SRT passphrase has the length that SRT requires (10 to 79 bytes), and only characters that need no escaping in
 * URLs and shells.
 */
export const isSrtPassphrase = (text: string): boolean => /^[A-Za-z0-9._~-]{10,79}$/.test(text);

/** The ingest URL of SRT, and the keys of the stream to publish to. */
export interface SrtTarget {
  readonly srtUrl: string;
  readonly streamKey: string;
  readonly passphrase?: string | undefined;
}

/** The URL that an SRT encoder publishes to. */
export function srtPublishUrl({ srtUrl, streamKey, passphrase }: SrtTarget): string {
  // pbkeylen is the key length in bytes: AES-256.
  const encryption = passphrase === undefined ? '' : `&passphrase=${passphrase}&pbkeylen=32`;
  return `${srtUrl}?streamid=${streamKey}${encryption}`;
}
