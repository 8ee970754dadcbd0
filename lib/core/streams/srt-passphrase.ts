/** What SRT allows, in bytes. */
export const srtPassphraseBytes = { min: 10, max: 79 } as const;

/** Letters, digits and marks that need no escaping in URLs and shells, so that it is pasted as it is. */
export const isSrtPassphrase = (text: string): boolean =>
  /^[A-Za-z0-9._~-]+$/.test(text) &&
  text.length >= srtPassphraseBytes.min &&
  text.length <= srtPassphraseBytes.max;

interface SrtTarget {
  readonly srtUrl: string;
  readonly streamKey: string;
  readonly passphrase?: string | undefined;
}

/** The address that an SRT encoder publishes to. */
export function srtPublishUrl({ srtUrl, streamKey, passphrase }: SrtTarget): string {
  const encryption = passphrase === undefined ? '' : `&passphrase=${passphrase}&pbkeylen=32`;
  return `${srtUrl}?streamid=${streamKey}${encryption}`;
}
